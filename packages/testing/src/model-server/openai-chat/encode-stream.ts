import { splitText } from "../../script/split-text.ts";
import { objectOf, type JsonObject } from "../json.ts";
import type { Answer, WireEvent } from "../wire.ts";
import { chatContent, chatFinishReason, chatUsage } from "./answer-message.ts";

/** The answer as the chunks that the vendor sends. */
export function encodeChatStream(answer: Answer): readonly WireEvent[] {
  const { texts, refusals, reasoning, calls, annotations } = chatContent(answer);
  const includeUsage = objectOf(answer.body["stream_options"])["include_usage"] === true;
  const head = {
    id: answer.turn.step.responseId ?? answer.ids.next("chatcmpl-", 29),
    object: "chat.completion.chunk",
    created: answer.createdAt,
    model: answer.turn.step.model ?? answer.request.model,
    service_tier: "default",
    system_fingerprint: "fp_de604bd877",
  };
  const tail = includeUsage ? { usage: null } : {};
  const events: WireEvent[] = [];
  const emit = (delta: JsonObject, finish: string | null = null): void => {
    events.push({
      data: { ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], ...tail },
      terminal: finish !== null,
    });
  };
  emit({ role: "assistant", content: texts.length === 0 && calls.length > 0 ? null : "", refusal: null });
  if (answer.chatReasoning !== "hidden") {
    for (const part of reasoning) for (const delta of splitText(part.text)) emit({ [answer.chatReasoning]: delta });
  }
  for (const part of texts) for (const delta of part.deltas) emit({ content: delta });
  for (const part of refusals) for (const delta of part.deltas) emit({ refusal: delta });
  if (annotations.length > 0) emit({ annotations });
  for (const [index, { call, id }] of calls.entries()) {
    const kind = call.custom ? "custom" : "function";
    const field = call.custom ? "input" : "arguments";
    emit({ tool_calls: [{ index, id, type: kind, [kind]: { name: call.name, [field]: "" } }] });
    for (const delta of call.deltas) emit({ tool_calls: [{ index, [kind]: { [field]: delta } }] });
  }
  emit({}, chatFinishReason(answer));
  if (includeUsage) events.push({ data: { ...head, choices: [], usage: chatUsage(answer) }, terminal: true });
  events.push({ data: "[DONE]", terminal: true });
  return events;
}
