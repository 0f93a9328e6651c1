import { hexDigits, type VendorIds } from "../../script/vendor-ids.ts";
import type {
  ResolvedPart,
  ResolvedReasoning,
  ResolvedRefusal,
  ResolvedText,
  ResolvedToolCall,
} from "../../script/resolved-turn.ts";
import type { JsonObject } from "../json.ts";
import type { Answer } from "../wire.ts";

/** A piece of content of a message item. */
export interface OutputContent {
  readonly part: ResolvedText | ResolvedRefusal;
  readonly value: JsonObject;
}

/** An output item with the script part that it was made of. */
export interface OutputItem {
  readonly item: JsonObject;
  readonly part: ResolvedReasoning | ResolvedToolCall | undefined;
  /** The content of a message item. */
  readonly content: readonly OutputContent[];
}

/** Makes the output items of an answer; text and a refusal that follow each other share a message unless their phase differs. */
export function outputItems(answer: Answer): readonly OutputItem[] {
  const items: OutputItem[] = [];
  const { parts } = answer.turn;
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (part === undefined) break;
    if (part.type === "text" || part.type === "refusal") {
      const together = [part, ...sameMessage(parts, index, part)];
      index += together.length - 1;
      items.push(messageItem(together, answer.ids));
    } else {
      items.push(otherItem(part, answer));
    }
  }
  return items;
}

function sameMessage(
  parts: readonly ResolvedPart[],
  index: number,
  first: ResolvedText | ResolvedRefusal,
): readonly ResolvedRefusal[] {
  const next = parts[index + 1];
  return first.type === "text" && next?.type === "refusal" ? [next] : [];
}

function messageItem(parts: readonly (ResolvedText | ResolvedRefusal)[], ids: VendorIds): OutputItem {
  const content = parts.map((part): OutputContent => ({ part, value: contentValue(part) }));
  const phase = parts.flatMap((part) =>
    part.type === "text" && part.phase !== undefined ? [{ phase: part.phase }] : [],
  )[0];
  return {
    item: {
      id: itemId(ids, "msg_"),
      type: "message",
      status: "completed",
      content: content.map(({ value }) => value),
      ...phase,
      role: "assistant",
    },
    part: undefined,
    content,
  };
}

function contentValue(part: ResolvedText | ResolvedRefusal): JsonObject {
  if (part.type === "refusal") return { type: "refusal", refusal: part.text };
  const annotations = part.sources.map((source) => ({
    type: "url_citation",
    start_index: 0,
    end_index: part.text.length,
    title: source.title ?? source.url,
    url: source.url,
  }));
  return { type: "output_text", annotations, logprobs: [], text: part.text };
}

function otherItem(part: Exclude<ResolvedPart, ResolvedText | ResolvedRefusal>, { ids, memory }: Answer): OutputItem {
  switch (part.type) {
    case "reasoning": {
      const id = itemId(ids, "rs_");
      const encrypted = part.signature ?? memory.sign("openai", part.text);
      if (part.signature !== undefined) memory.signatures.set(part.signature, part.text);
      const summary = part.summaryParts.map((text) => ({ type: "summary_text", text }));
      return { item: { id, type: "reasoning", encrypted_content: encrypted, summary }, part, content: [] };
    }
    case "tool_call": {
      const callId = part.id ?? ids.next("call_", 24);
      const item = part.custom
        ? {
            id: itemId(ids, "ctc_"),
            type: "custom_tool_call",
            status: "completed",
            call_id: callId,
            name: part.name,
            input: part.argumentsText,
          }
        : {
            id: itemId(ids, "fc_"),
            type: "function_call",
            status: "completed",
            arguments: part.argumentsText,
            call_id: callId,
            name: part.name,
          };
      return { item, part, content: [] };
    }
    case "file":
      return {
        item: {
          id: itemId(ids, "ig_"),
          type: "image_generation_call",
          status: "completed",
          output_format: part.mediaType.split("/")[1] ?? "png",
          result: part.data,
        },
        part: undefined,
        content: [],
      };
    case "raw":
      return { item: { ...part.value }, part: undefined, content: [] };
  }
}

function itemId(ids: VendorIds, prefix: string): string {
  return ids.next(prefix, 50, hexDigits);
}
