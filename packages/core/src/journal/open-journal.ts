import { JOURNAL_VERSION, type JournalEvent } from "../contracts/journal-event.ts";
import type { Clock } from "../contracts/ports/clock.ts";
import type { Ledger } from "../contracts/ports/ledger.ts";
import type { Lease, RunStore } from "../contracts/ports/run-store.ts";
import type { SecretsPort } from "../contracts/ports/security.ts";
import { JournalTamperedError, JournalVersionError, ReplayDivergenceError } from "../errors/store-errors.ts";
import { eventKey, emptyRunState, fold } from "./fold.ts";
import { mapInSlices } from "./large-values.ts";
import { createJournalCodec, type JournalCodec, type JournalCodecOptions } from "./journal-codec.ts";
import { JournalWriter } from "./journal-writer.ts";
import { inTodaysWords } from "./journal-words.ts";
import type { RunState } from "./run-state.ts";

/** Keys and functions that protect and prepare the records of a run; see `JournalCodecOptions`. */
export type JournalProtection = Omit<JournalCodecOptions, "runId" | "store">;

/** A journal that was opened, with the records that it had. */
export interface OpenedJournal {
  readonly journal: JournalWriter;
  /** The events, for consumers with their own fold, such as the flow policy. */
  readonly events: readonly JournalEvent[];
}

/**
 * Opens the journal of a run under a lease: loads, verifies and folds its records, and appends after them. The
 * journal of a new run is empty.
 *
 * @throws RunNotFoundError, JournalVersionError, JournalTamperedError, ReplayDivergenceError, SealKeyMissingError
 */
export async function openJournal(
  options: JournalProtection & {
    readonly store: RunStore;
    readonly ledger?: Ledger | undefined;
    readonly lease: Lease;
    readonly clock: Clock;
    readonly secrets?: Pick<SecretsPort, "scrub"> | undefined;
  },
): Promise<OpenedJournal> {
  const { store, lease, clock, secrets, ledger } = options;
  const codec = createJournalCodec({ ...options, runId: lease.runId });
  // A new run has nothing to load.
  const events = lease.head.seq === 0 ? [] : await decoded(await store.load(lease.runId), codec);
  const state = await restoreInSlices(lease.runId, events);
  const sealed = options.sealer !== undefined;
  return { journal: new JournalWriter({ store, ledger, lease, clock, state, codec, secrets, sealed }), events };
}

/**
 * Reads the journal of a run without driving it: the original records, large values included. Records of an older
 * format get the names of the current one.
 *
 * @param store - Store of the run.
 * @param runId - The run.
 * @param options - Keys that protect the journal.
 * @throws RunNotFoundError, JournalTamperedError, SealKeyMissingError
 * @example
 * ```ts
 * import { defaultHasher } from "@bailiwick/core/extension";
 * import { memoryStore, readJournal } from "@bailiwick/core";
 *
 * const store = memoryStore();
 * await store.create({ id: "r1", agentId: "a", definitionHash: "", sessionId: "s1", input: "" });
 * export const events = await readJournal(store, "r1", { hasher: defaultHasher() });
 * ```
 */
export async function readJournal(
  store: RunStore,
  runId: string,
  options: JournalProtection,
): Promise<readonly JournalEvent[]> {
  return decoded(await store.load(runId), createJournalCodec({ ...options, runId, store }));
}

async function decoded(stored: readonly JournalEvent[], codec: JournalCodec): Promise<readonly JournalEvent[]> {
  if (stored.length === 0) return stored;
  return inTodaysWords(await codec.decode(stored));
}

/**
 * Folds a loaded journal and checks it: no gap, a known format, and each key equal to the one derived from the
 * earlier records.
 *
 * @param runId - The run.
 * @param events - All of its records.
 * @throws JournalVersionError, JournalTamperedError, ReplayDivergenceError
 * @example
 * ```ts
 * import { restoreState } from "@bailiwick/core";
 *
 * export const state = restoreState("r1", []);
 * ```
 */
export function restoreState(runId: string, events: readonly JournalEvent[]): RunState {
  const state = emptyRunState();
  for (const event of events) foldStored(runId, state, event);
  return state;
}

/** `restoreState` that lets other work of the process run in between. */
async function restoreInSlices(runId: string, events: readonly JournalEvent[]): Promise<RunState> {
  const state = emptyRunState();
  if (events.length > 0) await mapInSlices(events, (event) => foldStored(runId, state, event));
  return state;
}

function foldStored(runId: string, state: RunState, event: JournalEvent): void {
  if (event.seq !== state.seq + 1) {
    throw new JournalTamperedError(
      runId,
      state.seq + 1,
      `Record ${state.seq + 1} of run "${runId}" is missing: ${event.seq} follows ${state.seq}. Restore the store from a backup.`,
    );
  }
  if (event.type === "run.start" && event.version > JOURNAL_VERSION) {
    throw new JournalVersionError(runId, event.version, JOURNAL_VERSION);
  }
  const expected = eventKey(state, event);
  if (event.key !== expected) throw new ReplayDivergenceError(runId, expected, event.key);
  fold(state, event);
}
