import { withoutReasoning, type AssistantMessage, type JsonValue } from "@bailiwick/core/provider";
import { stateOf } from "./state.ts";

/**
 * An answer without its thoughts and signatures; `undefined` if it has none.
 *
 * @param message - The answer.
 */
export function withoutSignatures(message: AssistantMessage): AssistantMessage | undefined {
  const thoughtless = withoutReasoning(message) ?? message;
  const content = thoughtless.content.map(unsigned);
  const toolCalls = thoughtless.toolCalls.map(unsigned);
  const same =
    thoughtless === message &&
    content.every((part, index) => part === message.content[index]) &&
    toolCalls.every((call, index) => call === message.toolCalls[index]);
  return same ? undefined : { ...thoughtless, content, toolCalls };
}

function unsigned<Item extends { readonly providerState?: JsonValue | undefined }>(item: Item): Item {
  const { signature, part } = stateOf(item);
  if (part?.["thoughtSignature"] !== undefined) {
    const { thoughtSignature: _signature, ...rest } = part;
    return { ...item, providerState: { part: rest as JsonValue } };
  }
  if (signature === undefined) return item;
  const { providerState: _state, ...rest } = item;
  return rest as Item;
}
