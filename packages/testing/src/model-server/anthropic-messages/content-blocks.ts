import { ScriptFaultError } from "../../script/script-error.ts";
import type { ResolvedPart, ResolvedReasoning, ResolvedText, ResolvedToolCall } from "../../script/resolved-turn.ts";
import { objectOf, parseObject, textOf, type JsonObject } from "../json.ts";
import { remembered } from "./issued-thinking.ts";
import type { Answer } from "../wire.ts";

/** A content block with the script part that it comes from. */
export interface ContentBlock {
  readonly part: Exclude<ResolvedPart, { type: "refusal" | "file" }>;
  /** The block without a call's `input`, which needs valid JSON: see {@link wholeBlock}. */
  readonly block: JsonObject;
}

/**
 * Makes the content blocks of an answer and remembers its thinking.
 *
 * @throws ScriptFaultError `SCRIPT_UNSUPPORTED` for files, which this vendor's models do not make.
 */
export function contentBlocks(answer: Answer): readonly ContentBlock[] {
  const blocks = answer.turn.parts.flatMap((part): readonly ContentBlock[] => {
    if (part.type === "file")
      throw new ScriptFaultError(
        "SCRIPT_UNSUPPORTED",
        "The Messages wire has no files in answers: leave them out, or play this script on another wire.",
      );
    return part.type === "refusal" ? [] : [{ part, block: blockOf(part, answer) }];
  });
  remembered(
    answer.memory,
    blocks.map(({ block }) => block),
  );
  return blocks;
}

/**
 * The block in the form of a JSON answer.
 *
 * @throws ScriptFaultError `SCRIPT_UNSUPPORTED` when a call's arguments are not a JSON object: only a stream carries raw text.
 */
export function wholeBlock({ part, block }: ContentBlock): JsonObject {
  if (part.type !== "tool_call") return block;
  const input = part.argumentsText === "" ? {} : parseObject(part.argumentsText);
  if (input === undefined)
    throw new ScriptFaultError(
      "SCRIPT_UNSUPPORTED",
      `The arguments of "${part.name}" are not a JSON object, and a JSON answer of the Messages wire carries them parsed: ask for a stream. Arguments: ${part.argumentsText.slice(0, 200)}`,
    );
  return { ...block, input };
}

function blockOf(part: ContentBlock["part"], answer: Answer): JsonObject {
  switch (part.type) {
    case "text":
      return textBlock(part);
    case "reasoning":
      return thinkingBlock(part, answer);
    case "tool_call":
      return toolUseBlock(part, answer);
    case "raw":
      return { ...part.value };
  }
}

function textBlock(part: ResolvedText): JsonObject {
  const citations = part.sources.map((source) => ({
    type: "web_search_result_location",
    cited_text: part.text.slice(0, 150),
    url: source.url,
    title: source.title ?? source.url,
    encrypted_index: "Eo8B",
  }));
  return { type: "text", text: part.text, ...(citations.length > 0 ? { citations } : {}) };
}

function thinkingBlock(part: ResolvedReasoning, { memory, body }: Answer): JsonObject {
  if (part.redacted !== undefined) return { type: "redacted_thinking", data: part.redacted };
  if (part.signature !== undefined) memory.signatures.set(part.signature, part.text);
  const shown = objectOf(body["thinking"])["display"] === "omitted" ? "" : part.text;
  return { type: "thinking", thinking: shown, signature: part.signature ?? memory.sign("anthropic", part.text) };
}

function toolUseBlock(part: ResolvedToolCall, { ids }: Answer): JsonObject {
  if (part.custom)
    throw new ScriptFaultError(
      "SCRIPT_UNSUPPORTED",
      `The Messages wire has no custom tool calls ("${part.name}"): leave "custom" out.`,
    );
  return { type: "tool_use", id: part.id ?? ids.next("toolu_01", 22), name: part.name };
}

/** The text of a refusal, which this API sends beside the content. */
export function refusalText(answer: Answer): string | undefined {
  const texts = answer.turn.parts.flatMap((part) => (part.type === "refusal" ? [textOf(part.text)] : []));
  return texts.length === 0 ? undefined : texts.join("\n");
}
