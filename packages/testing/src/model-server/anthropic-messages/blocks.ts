import { objectsOf, textOf, type JsonObject } from "../json.ts";

/** A message's content as blocks: a text is one text block. */
export function blocksOf(content: unknown): readonly JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content);
}

/** True if the block is thinking, readable or not. */
export function isThinking(block: JsonObject): boolean {
  return block["type"] === "thinking" || block["type"] === "redacted_thinking";
}

/** The text of a tool result's content. */
export function resultText(content: unknown): string {
  return blocksOf(content)
    .map((block) => textOf(block["text"]))
    .filter((text) => text !== "")
    .join("\n");
}
