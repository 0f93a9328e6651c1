import type { AssistantMessage, Message, ToolMessage } from "../contracts/message.ts";

/** An answer with calls and the messages up to the last of its results. */
export interface CallGroup {
  readonly assistant: AssistantMessage;
  /** The result of each call, in the order of `toolCalls`; `undefined` where history has none. */
  readonly results: readonly (ToolMessage | undefined)[];
  /** Answers to hosted tools that asked for approval, in the order they came. */
  readonly approvals: readonly ToolMessage[];
  /** Messages between the calls and their results: they follow the results. */
  readonly others: readonly Message[];
  /** Results that answer no open call. */
  readonly orphans: readonly ToolMessage[];
  /** Index of the first message after the group. */
  readonly end: number;
  /**
   * Why later messages can no longer change the group: all is answered, or the next answer with calls has begun.
   * `undefined`: they can.
   */
  readonly settledBy: "results" | "next-answer" | undefined;
}

/**
 * True if an answer needs a reply: results of calls, or a decision on a hosted call.
 *
 * @param message - Any message.
 */
export function expectsResults(message: Message): message is AssistantMessage {
  return message.role === "assistant" && (message.toolCalls.length > 0 || approvalIds(message).length > 0);
}

/** Ids of the approvals that hosted tools of an answer ask for. */
export function approvalIds({ content }: AssistantMessage): readonly string[] {
  return content.flatMap((part) =>
    part.type === "hosted_tool" && part.approvalRequestId !== undefined ? [part.approvalRequestId] : [],
  );
}

/**
 * Reads the group of an answer with calls. Results are searched up to the next answer with calls, so that ids which a
 * vendor uses twice stay apart; the first result of a call is kept, since a model may have seen it.
 *
 * @param messages - The history.
 * @param start - Index of the answer.
 * @param assistant - The answer.
 */
export function readCallGroup(messages: readonly Message[], start: number, assistant: AssistantMessage): CallGroup {
  const results: (ToolMessage | undefined)[] = assistant.toolCalls.map(() => undefined);
  const approvals: ToolMessage[] = [];
  const others: Message[] = [];
  const orphans: ToolMessage[] = [];
  const unanswered = placesById(assistant);
  const undecided = new Set(approvalIds(assistant));
  let open = results.length + undecided.size;
  let index = start + 1;
  let begunNext = false;
  for (; index < messages.length; index += 1) {
    const message = messages[index];
    if (message === undefined) break;
    if (expectsResults(message)) {
      begunNext = true;
      break;
    }
    if (message.role !== "tool") {
      // Once all is answered the rest is ordinary history again.
      if (open === 0) break;
      others.push(message);
      continue;
    }
    const at = unanswered.get(message.toolCallId)?.shift();
    if (at === undefined && message.hostedApproval !== undefined && undecided.delete(message.toolCallId)) {
      approvals.push(message);
      open -= 1;
    } else if (at === undefined) {
      orphans.push(message);
    } else {
      results[at] = message;
      open -= 1;
    }
  }
  return {
    assistant,
    results,
    approvals,
    others,
    orphans,
    end: index,
    settledBy: open === 0 ? "results" : begunNext ? "next-answer" : undefined,
  };
}

/** Places of the calls by id, in their order: a vendor may use an id twice. */
function placesById({ toolCalls }: AssistantMessage): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, { id }] of toolCalls.entries()) {
    const known = places.get(id);
    if (known === undefined) places.set(id, [place]);
    else known.push(place);
  }
  return places;
}

/**
 * A neutral result for a call that has none.
 *
 * @param assistant - The answer that made the call.
 * @param index - Index of the call.
 * @param wireId - The call's id in the request.
 */
export function missingResult(assistant: AssistantMessage, index: number, wireId: string): ToolMessage {
  const call = assistant.toolCalls[index];
  const content = isUnfinished(assistant)
    ? "The answer ended before this call was complete: it did not run."
    : "Result unavailable: do not assume that the call ran, or that it did not.";
  return {
    id: `${assistant.id}:missing:${index}`,
    role: "tool",
    toolCallId: wireId,
    toolName: call?.name ?? "",
    content,
    isError: true,
  };
}

/** Calls of such an answer are never run: their arguments may be incomplete. */
function isUnfinished({ finishReason, partial }: AssistantMessage): boolean {
  return partial === true || finishReason === "length" || finishReason === "content_filter" || finishReason === "error";
}
