import { isSameOwner } from "../../contracts/owner.ts";
import { SessionBusyError } from "../../errors/session-errors.ts";
import type { RunRecord, StoredRun } from "../../contracts/ports/stored-run.ts";

/** The fields of an in-memory run that the queue reads. */
export interface QueuedRow {
  readonly record: RunRecord;
  state: StoredRun["state"];
  epoch: number;
  owner: string | undefined;
  expiresAt: number;
  dueAt: number | undefined;
  readonly enqueuedAt: number;
  attempts: number;
  updatedAt: number;
  settledAt: number | undefined;
  readonly order: number;
}

/**
 * Refuses to drive a run while another one of its session is driven.
 *
 * @throws SessionBusyError
 */
export function checkSessionFree(rows: Iterable<QueuedRow>, record: RunRecord, now: number): void {
  if (record.inSession !== true) return;
  for (const other of rows) {
    if (isBeside(other, record) && other.state === "running" && other.expiresAt > now)
      throw new SessionBusyError(record.sessionId, record.id);
  }
}

/** True for another run of the same session, if the session's runs are driven one by one. */
export function isBeside({ record }: QueuedRow, one: RunRecord): boolean {
  return (
    record.inSession === true && record.id !== one.id && record.sessionId === one.sessionId && isSameOwner(record, one)
  );
}
