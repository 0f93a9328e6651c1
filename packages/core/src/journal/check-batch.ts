import { StoreError } from "../errors/store-errors.ts";
import type { JournalEvent } from "../contracts/journal-event.ts";
import type { Lease } from "../contracts/ports/run-store.ts";

/**
 * Checks an append before a store writes it: records follow the head without a gap, and no key is used twice in a
 * run.
 *
 * @param lease - Lease with the current head.
 * @param events - The records.
 * @param isTaken - True if the run has a record of a key.
 * @throws StoreError `SEQUENCE_GAP` or `DUPLICATE_KEY`.
 */
export function checkBatch(lease: Lease, events: readonly JournalEvent[], isTaken: (key: string) => boolean): void {
  const keys = new Set<string>();
  let expected = lease.head.seq;
  for (const event of events) {
    expected += 1;
    if (event.seq !== expected) {
      throw new StoreError(
        "SEQUENCE_GAP",
        `Run "${lease.runId}": record ${event.seq} ("${event.key}") was appended where ${expected} comes next. Append records in order.`,
        { runId: lease.runId },
      );
    }
    if (keys.has(event.key) || isTaken(event.key)) throw duplicateKey(lease.runId, event.key);
    keys.add(event.key);
  }
}

/** The error for a key that a run has already. */
export function duplicateKey(runId: string, key: string): StoreError {
  return new StoreError(
    "DUPLICATE_KEY",
    `Run "${runId}" already has a record "${key}": what it stands for was recorded before and is not recorded again.`,
    { runId },
  );
}
