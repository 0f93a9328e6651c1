import type { IssuedMemory } from "../issued-memory.ts";
import { textOf, type JsonObject } from "../json.ts";
import { isThinking } from "./blocks.ts";

/** Remembers which thinking an answer had, by the ids of its calls. */
export function remembered(memory: IssuedMemory, blocks: readonly JsonObject[]): void {
  const thinking = blocks.filter(isThinking);
  for (const block of blocks) {
    if (block["type"] === "tool_use") memory.items.set(textOf(block["id"]), { item: { thinking }, stored: true });
  }
}

/** The thinking of the answer that a message repeats, if this server issued it. */
export function issuedThinking(memory: IssuedMemory, blocks: readonly JsonObject[]): readonly JsonObject[] | undefined {
  for (const block of blocks) {
    const known = block["type"] === "tool_use" ? memory.items.get(textOf(block["id"])) : undefined;
    if (known !== undefined) return known.item["thinking"] as readonly JsonObject[];
  }
  return undefined;
}
