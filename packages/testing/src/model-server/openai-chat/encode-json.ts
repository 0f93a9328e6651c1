import type { JsonObject } from "../json.ts";
import type { Answer } from "../wire.ts";
import { chatContent, chatFinishReason, chatUsage } from "./answer-message.ts";

/** The JSON answer. */
export function encodeChatJson(answer: Answer): JsonObject {
  const { texts, refusals, reasoning, calls, annotations } = chatContent(answer);
  const thought = reasoning.map((part) => part.text).join("\n\n");
  const message = {
    role: "assistant",
    content: texts.length === 0 ? null : texts.map((part) => part.text).join(""),
    ...(answer.chatReasoning !== "hidden" && thought !== "" ? { [answer.chatReasoning]: thought } : {}),
    ...(calls.length > 0
      ? { tool_calls: calls.map(({ call, id }) => toolCall(id, call.name, call.argumentsText, call.custom)) }
      : {}),
    refusal: refusals.length === 0 ? null : refusals.map((part) => part.text).join(""),
    annotations,
  };
  return {
    id: answer.turn.step.responseId ?? answer.ids.next("chatcmpl-", 29),
    object: "chat.completion",
    created: answer.createdAt,
    model: answer.turn.step.model ?? answer.request.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: chatFinishReason(answer) }],
    usage: chatUsage(answer),
    service_tier: "default",
    system_fingerprint: "fp_de604bd877",
  };
}

function toolCall(id: string, name: string, text: string, custom: boolean): JsonObject {
  return custom
    ? { id, type: "custom", custom: { name, input: text } }
    : { id, type: "function", function: { name, arguments: text } };
}
