import { jsonText } from "@bailiwick/core/provider";
import type { AssistantMessage, Message } from "@bailiwick/core/provider";
import { keepState, stateOf } from "./items.ts";

/** Answers without the vendor's items; cached, so that each is made once. */
const plain = new WeakMap<AssistantMessage, AssistantMessage>();

/**
 * Messages with each item of the vendor once, because it refuses a second one: an answer that repeats an item of an
 * earlier answer is sent as plain text and calls.
 *
 * @param messages - As compiled for this model.
 */
export function withoutRepeatedItems(messages: readonly Message[]): readonly Message[] {
  const seen = new Set<string>();
  return messages.map((message) => {
    if (message.role !== "assistant") return message;
    const ids = itemIds(message);
    const repeats = ids.some((id) => seen.has(id));
    for (const id of ids) seen.add(id);
    return repeats ? withoutItems(message) : message;
  });
}

function itemIds({ content, toolCalls }: AssistantMessage): readonly string[] {
  return [...content, ...toolCalls].flatMap((holder) => {
    const { id, item } = stateOf(holder);
    const found = id ?? jsonText(item?.["id"]);
    return found === "" ? [] : [found];
  });
}

function withoutItems(message: AssistantMessage): AssistantMessage {
  const known = plain.get(message);
  if (known !== undefined) return known;
  const content = message.content
    .filter(({ type }) => type !== "reasoning" && type !== "hosted_tool")
    .map(({ providerState: _state, ...part }) => part);
  const toolCalls = message.toolCalls.map((call) => {
    const { namespace, custom } = stateOf(call);
    return { ...call, providerState: keepState({ namespace, custom }) };
  });
  const result: AssistantMessage = { ...message, content, toolCalls };
  plain.set(message, result);
  return result;
}
