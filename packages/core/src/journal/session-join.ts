import type { JournalEventOf } from "../contracts/journal-event.ts";
import { isWaiting } from "../contracts/stop-reason.ts";
import type { RunState } from "./run-state.ts";

type End = Pick<JournalEventOf<"run.end">, "status" | "stopReason">;

/**
 * The index in `messages` after the last message that joins the session at this end of a run. A failed run can be
 * resumed: the turn that a resume changes, and an interrupted answer, join later. A conversation that is too long for
 * the model does not join, because each later run would fail too.
 */
export function joinsUpTo(state: RunState, { status, stopReason }: End): number {
  const { messages, sessionFrom } = state;
  if (isWaiting(status) || stopReason === "context_overflow") return sessionFrom;
  if (status !== "failed") return messages.length;
  const place = messages.findLastIndex(({ role }) => role === "assistant");
  const last = messages[place];
  if (last?.role !== "assistant" || place < sessionFrom) return messages.length;
  const results = new Set(messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : [])));
  const isWhole = last.partial !== true && last.toolCalls.every(({ id }) => results.has(id));
  return isWhole ? messages.length : place;
}
