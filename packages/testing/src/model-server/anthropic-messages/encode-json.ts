import type { ScriptFinish } from "../../script/script-step.ts";
import type { JsonObject } from "../json.ts";
import type { Answer } from "../wire.ts";
import { contentBlocks, refusalText, wholeBlock } from "./content-blocks.ts";

/** The JSON answer. */
export function encodeMessagesJson(answer: Answer): JsonObject {
  return {
    ...messageHead(answer),
    content: contentBlocks(answer).map(wholeBlock),
    ...messageEnding(answer),
    usage: {
      ...inputUsage(answer),
      output_tokens: answer.usage.outputTokens,
      ...thinkingUsage(answer),
      service_tier: "standard",
      inference_geo: "not_available",
    },
  };
}

/** The head of an answer. */
export function messageHead({ turn, request, ids }: Answer): JsonObject {
  return {
    model: turn.step.model ?? request.model,
    id: turn.step.responseId ?? ids.next("msg_01", 22),
    type: "message",
    role: "assistant",
  };
}

const stopReasons: Readonly<Record<ScriptFinish, string>> = {
  stop: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
  content_filter: "refusal",
};

/** The end of an answer. */
export function messageEnding(answer: Answer): JsonObject {
  const explanation = refusalText(answer);
  const details = explanation === undefined ? {} : { stop_details: { type: "refusal", category: null, explanation } };
  return {
    stop_reason: answer.turn.step.rawFinish ?? stopReasons[answer.turn.finish],
    stop_sequence: null,
    ...details,
  };
}

/** The vendor counts cache reads and writes separately from the input. */
export function inputUsage({ usage }: Answer): JsonObject {
  return {
    input_tokens: usage.inputTokens - usage.cachedTokens - usage.cacheWriteTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cachedTokens,
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWriteTokens, ephemeral_1h_input_tokens: 0 },
  };
}

/** Number of output tokens that were thinking. */
export function thinkingUsage({ usage }: Answer): JsonObject {
  return usage.reasoningTokens > 0 ? { output_tokens_details: { thinking_tokens: usage.reasoningTokens } } : {};
}
