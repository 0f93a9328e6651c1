import { appendedFacts, isProgress, recordText } from "@bailiwick/core/store";
import type {
  AppendedFacts,
  Head,
  JournalEvent,
  Lease,
  LedgerRow,
  Release,
  SessionAppend,
} from "@bailiwick/core/store";
import { toColumn } from "../connection/names.ts";

/** The fields of a lease that the database reads. */
export interface Held {
  readonly runId: string;
  /** The run's id in its column. */
  readonly column: string;
  readonly owner: string;
  readonly epoch: number;
  readonly seq: number;
  /** Empty: not compared. */
  readonly hash: string;
}

/** A blob that a record names. */
interface NamedBlob {
  readonly hash: string;
  /** True for a reference, which must be stored; false for text that looks like one. */
  readonly reference: boolean;
}

/** Records of one append, starting right after the lease's head. */
export interface Records {
  readonly keys: readonly string[];
  readonly texts: readonly string[];
  /** True if one of them shows progress of the run. */
  readonly progress: boolean;
  /** Id and name of the signals that they take from the inbox. */
  readonly taken: readonly (readonly [id: string, name: string])[];
  readonly blobs: readonly NamedBlob[];
  readonly ledger: readonly LedgerRow[];
  readonly facts: AppendedFacts;
}

/** The new state of a run; `waitingOn` and `unlessSignals` are JSON. */
export interface Released {
  readonly state: string;
  readonly waitingOn: string | null;
  readonly dueAt: number | null;
  readonly unlessSignals: string;
  readonly session: SessionAppend | undefined;
}

/** A write to a run under a lease. */
export type Job = { readonly held: Held } & (
  | { readonly records: Records; readonly released?: undefined }
  | { readonly released: Released; readonly records?: undefined }
);

/** The run's new head after an append; `undefined` after a release; or the reason why none of it is written. */
export type Outcome = { readonly head: Head | undefined } | { readonly error: Error };

export function toHeld({ runId, owner, epoch, head }: Lease): Held {
  return { runId, column: toColumn(runId), owner: toColumn(owner), epoch, seq: head.seq, hash: head.hash };
}

export function toRecords(events: readonly JournalEvent[], attachments: readonly LedgerRow[] = []): Records {
  const keys: string[] = [];
  const texts: string[] = [];
  const taken: [string, string][] = [];
  const blobs: NamedBlob[] = [];
  let progress = false;
  for (const event of events) {
    const text = recordText(event);
    keys.push(toColumn(event.key));
    texts.push(text);
    // A shown handle counts as a use, like a reference, from any run.
    const named = new Map<string, boolean>();
    for (const [, reference, hash] of text.matchAll(/("\$blob":")?\b([0-9a-f]{64})\b/g))
      if (hash !== undefined) named.set(hash, named.get(hash) === true || reference !== undefined);
    for (const [hash, reference] of named) blobs.push({ hash, reference });
    if (event.type === "signal.taken") taken.push([toColumn(event.signal.id), toColumn(event.signal.name)]);
    progress ||= isProgress(event);
  }
  return { keys, texts, progress, taken, blobs, ledger: attachments, facts: appendedFacts(events) };
}

function dueAtOf(next: Release): number | null {
  if (next.state === "sleeping") return next.wakeAt;
  return (next.state === "queued" ? next.dueAt : undefined) ?? null;
}

export function toReleased(next: Release, session: SessionAppend | undefined): Released {
  return {
    state: next.state,
    waitingOn: next.state === "suspended" ? JSON.stringify(next.waitingOn) : null,
    dueAt: dueAtOf(next),
    unlessSignals: JSON.stringify(((next.state === "completed" && next.unlessSignals) || []).map(toColumn)),
    session,
  };
}
