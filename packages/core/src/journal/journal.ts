import type { JournalEvent, JournalEventInput } from "../contracts/journal-event.ts";
import type { Release, SessionAppend } from "../contracts/ports/run-store.ts";
import type { Head } from "../contracts/ports/stored-run.ts";
import type { LedgerRow } from "../contracts/ports/ledger.ts";
import type { RunState } from "./run-state.ts";

/**
 * The journal of one run while a process drives it. `record` takes over its event, and numbers, labels and folds it
 * at once and shows it to observers; `commit` resolves when all earlier records are on disk. One append is in flight
 * per run; later records join the next.
 */
export interface Journal {
  readonly state: RunState;
  record(event: JournalEventInput, attachments?: readonly LedgerRow[]): JournalEvent;
  /**
   * @throws FencedError when another process acquired the run.
   * @throws JournalUnavailableError when the store failed.
   */
  commit(): Promise<void>;
  /** Commits, then gives the lease back. */
  release(next: Release, session?: SessionAppend): Promise<void>;
  /** Stops writing: waiting records are dropped. */
  close(): void;
  /** Releases the lease with the committed records; waiting records are dropped, as if the process had died. */
  abandon(next: Release): Promise<void>;
  readonly head: Head;
}
