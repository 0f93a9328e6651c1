import { FencedError, JournalUnavailable } from "../errors/store-errors.ts";
import type { JournalEvent, JournalEventInput } from "../contracts/journal-event.ts";
import type { Clock } from "../contracts/ports/clock.ts";
import type { LedgerRow } from "../contracts/ports/ledger.ts";
import type { Head, Lease, Release, RunStore, SessionAppend } from "../contracts/ports/run-store.ts";
import type { LabelAssignment, SecretsPort } from "../contracts/ports/security.ts";
import { defaultLabel } from "./default-label.ts";
import { eventKey } from "./event-keys.ts";
import { emptyRunState, fold } from "./fold.ts";
import type { Journal } from "./journal.ts";
import type { JournalCodec } from "./journal-codec.ts";
import type { RunState } from "./run-state.ts";
import { keptRecord } from "./scrubbed-record.ts";
import { uncertainCalls } from "./uncertain-calls.ts";

/** What a journal is written with. */
export interface JournalWriterOptions {
  readonly store: RunStore;
  readonly lease: Lease;
  readonly clock: Clock;
  /** The run as loaded; a new run without. */
  readonly state?: RunState | undefined;
  /** Prepares records for the store: blobs, seals, signatures. Without one they are appended as they are. */
  readonly codec?: JournalCodec | undefined;
  /** Takes known secrets out of records, before anything folds or sees them. */
  readonly secrets?: Pick<SecretsPort, "scrub"> | undefined;
  /** The codec seals: records with arguments are kept as they are. */
  readonly sealed?: boolean | undefined;
}

/** A journal with the connections that a run makes before its first record. */
export interface JournalWriter extends Journal {
  readonly lease: Lease;
  /** Labels records that bring no label of their own. */
  labelWith(labelFor: (event: JournalEventInput) => LabelAssignment | undefined): void;
  /**
   * Shows every further record, in order, as it is recorded.
   *
   * @returns a function that ends it.
   */
  observe(observer: (event: JournalEvent) => void): () => void;
}

/** What waits to be written, in order. */
interface Queue {
  readonly events: JournalEvent[];
  readonly attachments: LedgerRow[];
}

const emptyQueue = (): Queue => ({ events: [], attachments: [] });

/**
 * Opens the journal of a run for writing under a lease.
 *
 * @param options - The store, the lease, and the state so far.
 * @example
 * ```ts
 * import { createJournalWriter, memoryStore, systemClock } from "@bailiwick/core";
 *
 * const store = memoryStore();
 * await store.create({ id: "r1", agentId: "a", definitionHash: "", sessionId: "s1", input: "" });
 * const lease = await store.acquire("r1", "me", 30_000);
 * if (lease) {
 *   const journal = createJournalWriter({ store, lease, clock: systemClock });
 *   journal.record({ type: "hook.failed", hook: "beforeRun", error: { name: "Error", code: "ERROR", message: "no" } });
 *   await journal.commit();
 * }
 * ```
 */
export function createJournalWriter(options: JournalWriterOptions): JournalWriter {
  const { store, clock, codec } = options;
  const { runId } = options.lease;
  const state = options.state ?? emptyRunState();
  const observers = new Set<(event: JournalEvent) => void>();
  let lease = options.lease;
  let labelFor: ((event: JournalEventInput) => LabelAssignment | undefined) | undefined;
  let queue = emptyQueue();
  let inFlight: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  let failure: Error | undefined;

  function record(given: JournalEventInput, attachments?: readonly LedgerRow[]): JournalEvent {
    const { secrets } = options;
    const input = secrets === undefined ? given : keptRecord(given, secrets, options.sealed === true);
    const assigned =
      input.label !== undefined
        ? { label: input.label, labels: input.labels }
        : (labelFor?.(input) ?? { label: defaultLabel(input), labels: input.labels });
    const event = {
      ...input,
      seq: state.seq + 1,
      at: clock.now(),
      key: input.key ?? eventKey(state, input),
      label: assigned.label,
      runId,
    } as JournalEvent & { labels?: LabelAssignment["labels"] };
    if (assigned.labels !== undefined && assigned.labels.length > 0) event.labels = assigned.labels;
    fold(state, event);
    // After a failure records still show how the run ended, but nothing more is written.
    if (failure === undefined) {
      queue.events.push(event);
      if (attachments !== undefined) queue.attachments.push(...attachments);
    }
    for (const observer of observers) observer(event);
    return event;
  }

  /** Hands the whole queue to the store. `then` runs in the same turn of the event loop as the append. */
  async function write(andRelease?: {
    readonly next: Release;
    readonly session: SessionAppend | undefined;
  }): Promise<void> {
    const { events: recorded, attachments: rows } = queue;
    queue = emptyQueue();
    try {
      const events = codec === undefined ? recorded : await codec.encode(recorded);
      const beside = codec?.beside;
      const attachments = beside === undefined || rows.length === 0 ? rows : await beside.rows(rows);
      const given = andRelease?.session;
      const session = beside === undefined || given === undefined ? given : await beside.session(given);
      const appended =
        events.length === 0
          ? undefined
          : attachments.length === 0
            ? store.append(lease, events)
            : store.append(lease, events, attachments);
      if (andRelease === undefined) {
        if (appended !== undefined) lease = { ...lease, head: await appended };
        return;
      }
      // Called before the append is awaited, so that a store with group commit writes both in one transaction.
      const seq = events.at(-1)?.seq ?? lease.head.seq;
      const after = seq === lease.head.seq ? lease : { ...lease, head: { seq, hash: "" } };
      const released = store.release(after, andRelease.next, session);
      released.catch(() => {});
      if (appended !== undefined) lease = { ...lease, head: await appended };
      await released;
    } catch (error) {
      failure = toFailure(error);
      throw failure;
    }
  }

  function toFailure(error: unknown): Error {
    if (FencedError.isInstance(error) && error.code === "FENCED") return error;
    return new JournalUnavailable(runId, uncertainCalls(state, lease.head.seq), { cause: error });
  }

  function start(work: Promise<void>): Promise<void> {
    const landed = (): void => {
      if (inFlight === flight) inFlight = undefined;
    };
    const flight = work.then(landed, (error: unknown) => {
      landed();
      throw error;
    });
    // Whoever commits sees the failure; a commit that nobody awaits must not end the process.
    flight.catch(() => {});
    inFlight = flight;
    return flight;
  }

  function commit(): Promise<void> {
    if (failure !== undefined) return Promise.reject(failure);
    if (inFlight === undefined) return queue.events.length === 0 ? Promise.resolve() : start(write());
    if (queue.events.length === 0) return inFlight;
    if (following === undefined) {
      following = inFlight.then(() => {
        following = undefined;
        return commit();
      });
      following.catch(() => {});
    }
    return following;
  }

  async function release(next: Release, session?: SessionAppend): Promise<void> {
    while (inFlight !== undefined) await inFlight;
    if (failure !== undefined) throw failure;
    await start(write({ next, session }));
  }

  return {
    state,
    record,
    commit,
    release,
    get head(): Head {
      return lease.head;
    },
    get lease(): Lease {
      return lease;
    },
    labelWith(assign) {
      labelFor = assign;
    },
    observe(observer) {
      observers.add(observer);
      return () => observers.delete(observer);
    },
  };
}
