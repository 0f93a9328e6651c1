import type { AssistantMessage, Message } from "../contracts/message.ts";

/** Messages that are kept or left out together: an answer with the results of its calls, or a single message. */
export interface Unit {
  /** Index of the first message. */
  readonly start: number;
  /** Index of the last message. */
  readonly end: number;
}

/**
 * The units of a conversation. The last one has the calls that wait for a person.
 *
 * @param from - Index of the first message that is still shown.
 */
export function unitsOf(messages: readonly Message[], from: number): readonly Unit[] {
  const units: Unit[] = [];
  for (let index = from; index < messages.length;) {
    const message = messages[index];
    if (message === undefined) break;
    const open = new Set(message.role === "assistant" ? expectedIds(message) : []);
    let end = index;
    // All messages between a call and its last result belong to the unit.
    for (let next = index + 1; open.size > 0 && next < messages.length; next += 1) {
      const result = messages[next];
      if (result === undefined || (result.role === "assistant" && result.toolCalls.length > 0)) break;
      if (result.role === "tool") open.delete(result.toolCallId);
      end = next;
    }
    units.push({ start: index, end });
    index = end + 1;
  }
  return units;
}

/** Ids of the calls and of the requests for approval that need an answer. */
function expectedIds({ content, toolCalls }: AssistantMessage): readonly string[] {
  const asked = content.flatMap((part) =>
    part.type === "hosted_tool" && part.approvalRequestId !== undefined ? [part.approvalRequestId] : [],
  );
  return [...toolCalls.map(({ id }) => id), ...asked];
}
