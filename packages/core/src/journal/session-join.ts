import type { JournalEventOf } from "../contracts/journal-event.ts";
import { isWaiting, type RunStatus } from "../contracts/stop-reason.ts";
import type { Message, UserMessage } from "../contracts/message.ts";
import type { Signal } from "../contracts/signal.ts";
import { approvalIds } from "../history/hosted-approvals.ts";
import type { RunState } from "./run-state.ts";

type End = Pick<JournalEventOf<"run.end">, "status" | "stopReason">;

/** True if a run with this end has ended its turn. A run that waits or failed can continue it. */
export function endsTurn(status: RunStatus): boolean {
  return !isWaiting(status) && status !== "failed";
}

/**
 * The index in `messages` after the last message that joins the session at this end of a run. A run that waits or failed
 * can be resumed: the answer that a resume changes or completes joins later. A conversation that is too long for the
 * model does not join, because each later run would fail too.
 */
export function joinsUpTo(state: RunState, { status, stopReason }: End): number {
  const { messages, sessionFrom } = state;
  if (stopReason === "context_overflow") return sessionFrom;
  if (endsTurn(status)) return messages.length;
  const place = messages.findLastIndex(({ role }) => role === "assistant");
  const last = messages[place];
  if (last?.role !== "assistant" || place < sessionFrom) return messages.length;
  const results = new Set(messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : [])));
  const isWhole =
    last.partial !== true &&
    [...last.toolCalls.map(({ id }) => id), ...approvalIds(last)].every((id) => results.has(id));
  return isWhole ? messages.length : place;
}

/** Names of the signals that become messages of the conversation. */
export const messageSignals: readonly string[] = ["steer", "follow_up", "input"];

/** True for a signal that becomes a message of the conversation. */
export function isMessage({ name }: Pick<Signal, "name">): boolean {
  return messageSignals.includes(name);
}

/** Messages of people that a run has accepted and has not read, in the order in which they arrived. */
export function unreadMessages({ pendingSignals }: Pick<RunState, "pendingSignals">): readonly UserMessage[] {
  return pendingSignals.flatMap(({ name, payload }) =>
    isMessage({ name }) && isUserMessage(payload) ? [payload] : [],
  );
}

/**
 * Messages of people that join the session at an end of a run, but not as a part of its turn. Nothing may continue the run,
 * so they join at each end that is not a wait; a run that is resumed reads those that it has not read. The turn of a
 * conversation that is too long for the model does not join, and the messages that people sent meanwhile do.
 */
export function messagesBeside(state: RunState, { status, stopReason }: End): readonly Message[] {
  if (isWaiting(status)) return [];
  const read =
    stopReason === "context_overflow"
      ? state.messages.slice(state.sessionFrom).filter(({ id }) => state.sentMessages.has(id))
      : [];
  return [...read, ...unreadMessages(state)].filter(({ id }) => !state.joinedBeside.has(id));
}

function isUserMessage(payload: unknown): payload is UserMessage {
  return (payload as Partial<UserMessage> | null | undefined)?.role === "user";
}

/** The number of records that a fork copied; 0 for any other run. */
export function copiedTo(start: RunState["start"]): number {
  return start?.copied?.at(-1)?.atSeq ?? 0;
}

/** Notes what the end of a run added to its session, before the run continues. A fork has added nothing of its copies. */
export function foldJoin(state: RunState): void {
  const { end, start, firstOwnMessage } = state;
  if (end === undefined || end.seq <= copiedTo(start)) return;
  state.sessionFrom = joinsUpTo(state, end);
  for (const { id } of messagesBeside(state, end)) state.joinedBeside.add(id);
  state.marked = endsTurn(end.status) || state.sessionFrom === firstOwnMessage ? undefined : end.stopReason;
}
