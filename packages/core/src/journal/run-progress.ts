import type { JournalEvent } from "../contracts/journal-event.ts";

const progressing: ReadonlySet<JournalEvent["type"]> = new Set([
  "model.result",
  "tool.outcome",
  "tool.result",
  "tool.approval.requested",
  "input.requested",
  "run.suspended",
  "run.end",
]);

/**
 * Whether a record shows that its run got further. Stores count leases that expire without one such record: a run
 * that crashes its process each time only repeats resumptions and intents.
 */
export function isProgress(event: JournalEvent): boolean {
  return progressing.has(event.type);
}
