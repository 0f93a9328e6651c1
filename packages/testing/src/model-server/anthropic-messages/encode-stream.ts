import { splitText } from "../../script/split-text.ts";
import { objectsOf, textOf, type JsonObject } from "../json.ts";
import type { Answer, WireEvent } from "../wire.ts";
import { contentBlocks, type ContentBlock } from "./content-blocks.ts";
import { inputUsage, messageEnding, messageHead, thinkingUsage } from "./encode-json.ts";

/** The answer as the events that the vendor sends. */
export function encodeMessagesStream(answer: Answer): readonly WireEvent[] {
  const events: WireEvent[] = [];
  const emit: Emit = (type, fields, terminal = false) => {
    events.push({ event: type, data: { type, ...fields }, terminal });
  };
  const blocks = contentBlocks(answer);
  const started = { ...messageHead(answer), content: [], stop_reason: null, stop_sequence: null };
  emit("message_start", {
    message: {
      ...started,
      usage: { ...inputUsage(answer), output_tokens: 1, service_tier: "standard", inference_geo: "not_available" },
    },
  });
  if (blocks.length === 0) emit("ping", {});
  blocks.forEach((block, index) => encodeBlock(block, index, emit));
  const usage: JsonObject = {
    ...inputUsage(answer),
    output_tokens: answer.usage.outputTokens,
    ...thinkingUsage(answer),
  };
  delete usage["cache_creation"];
  emit("message_delta", { delta: messageEnding(answer), usage }, true);
  emit("message_stop", {}, true);
  return events;
}

type Emit = (type: string, fields: JsonObject, terminal?: boolean) => void;

function encodeBlock({ part, block }: ContentBlock, index: number, emit: Emit): void {
  const delta = (fields: JsonObject): void => emit("content_block_delta", { index, delta: fields });
  emit("content_block_start", { index, content_block: begun(part, block) });
  if (index === 0) emit("ping", {});
  if (part.type === "text") {
    for (const citation of objectsOf(block["citations"])) delta({ type: "citations_delta", citation });
    for (const text of part.deltas) delta({ type: "text_delta", text });
  } else if (part.type === "reasoning" && part.redacted === undefined) {
    for (const thinking of splitText(textOf(block["thinking"]))) delta({ type: "thinking_delta", thinking });
    delta({ type: "signature_delta", signature: textOf(block["signature"]) });
  } else if (part.type === "tool_call") {
    delta({ type: "input_json_delta", partial_json: "" });
    // The vendor sends no text for a call without arguments.
    for (const text of part.argumentsText === "{}" ? [] : part.deltas)
      delta({ type: "input_json_delta", partial_json: text });
  }
  emit("content_block_stop", { index });
}

function begun(part: ContentBlock["part"], block: JsonObject): JsonObject {
  switch (part.type) {
    case "text":
      return { type: "text", text: "", ...(block["citations"] === undefined ? {} : { citations: [] }) };
    case "reasoning":
      return part.redacted === undefined ? { type: "thinking", thinking: "", signature: "" } : block;
    case "tool_call":
      return { ...block, input: {} };
    case "raw":
      return block;
  }
}
