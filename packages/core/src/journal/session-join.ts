import type { JournalEventOf } from "../contracts/journal-event.ts";
import { isWaiting, type RunStatus } from "../contracts/stop-reason.ts";
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

/** The number of records that a fork copied; 0 for any other run. */
export function copiedTo(start: RunState["start"]): number {
  return start?.copied?.at(-1)?.atSeq ?? 0;
}

/** Notes what the end of a run added to its session, before the run continues. A fork has added nothing of its copies. */
export function foldJoin(state: RunState): void {
  const { end, start, firstOwnMessage } = state;
  if (end === undefined || end.seq <= copiedTo(start)) return;
  state.sessionFrom = joinsUpTo(state, end);
  state.marked = endsTurn(end.status) || state.sessionFrom === firstOwnMessage ? undefined : end.stopReason;
}
