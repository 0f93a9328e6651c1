import type { ContentPart } from "../contracts/content-part.ts";
import type { Message } from "../contracts/message.ts";

/**
 * Finds the answers and results of a conversation whose origin is unknown, so that they count as untrusted
 * [flow.r2.given-messages] [flow.r2.imported]: those that the caller gives, those that were converted from the form of
 * another program, and those with a text that the application marked as untrusted. Messages of which each text is marked
 * as trusted are left out.
 *
 * @param history - The conversation before the input of a run.
 * @param given - The number of messages at its end that the caller gives.
 * @param isCalled - The caller is a run whose label covers what it gives.
 * @returns their places in the conversation.
 */
export function unknownOrigins(history: readonly Message[], given: number, isCalled: boolean): readonly number[] {
  const calls = new Set<string>();
  const found: number[] = [];
  const own = history.length - given;
  for (const [index, message] of history.entries()) {
    const { role } = message;
    const isGiven = index >= own;
    if (role === "user" || role === "system" || (isCalled && isGiven)) continue;
    const isForeign = role === "assistant" ? message.provenance.provider === "unknown" : calls.has(message.toolCallId);
    if (isForeign && role === "assistant") for (const { id } of message.toolCalls) calls.add(id);
    if (isVouchedFor(message)) continue;
    if (isForeign || isGiven || partsOf(message).some(({ untrusted }) => untrusted === true)) found.push(index);
  }
  return found;
}

/** True if each text of a message is marked as trusted. */
export function isVouchedFor(message: Message): boolean {
  const texts = partsOf(message).filter(({ type }) => type === "text");
  return texts.length > 0 && texts.every(({ untrusted }) => untrusted === false);
}

type Marked = Pick<ContentPart, "type" | "untrusted">;

function partsOf({ content }: Message): readonly Marked[] {
  return typeof content === "string" ? [] : (content as readonly Marked[]);
}
