import type { FlowRun } from "../contracts/ports/flow-policy.ts";
import { FencedError, isFenced, JournalUnavailableError } from "../errors/store-errors.ts";
import type { JournalEvent, JournalEventInput, JournalEventType } from "../contracts/journal-event.ts";
import type { Clock } from "../contracts/ports/clock.ts";
import type { Ledger, LedgerRow } from "../contracts/ports/ledger.ts";
import type { Lease, Release, RunStore, SessionAppend } from "../contracts/ports/run-store.ts";
import type { Head } from "../contracts/ports/stored-run.ts";
import type { SecretsPort } from "../contracts/ports/security.ts";
import { eventKey, emptyRunState, fold } from "./fold.ts";
import type { Journal } from "./journal.ts";
import type { JournalCodec } from "./journal-codec.ts";
import type { RunState } from "./run-state.ts";
import { keptRecord } from "./scrubbed-record.ts";
import { uncertainCalls } from "./uncertain-calls.ts";
import type { LabelId } from "../contracts/label.ts";
import type { Message } from "../contracts/message.ts";

/** Labels records, and sees each one after it is folded. */
type Labeller = Pick<FlowRun, "labelFor" | "observe">;

/** Options of a journal writer. */
export interface JournalWriterOptions {
  readonly store: RunStore;
  /** The agent's ledger, if it is not the store's: gets the rows before the store gets their records. */
  readonly ledger?: Pick<Ledger, "put"> | undefined;
  readonly lease: Lease;
  readonly clock: Clock;
  /** The run as loaded; a new run if absent. */
  readonly state?: RunState | undefined;
  /** Prepares records for the store: blobs, seals, signatures. Without it they are appended unchanged. */
  readonly codec?: JournalCodec | undefined;
  /** Removes known secrets from records, before they are folded or observed. */
  readonly secrets?: Pick<SecretsPort, "scrub"> | undefined;
  /** The codec seals: records with arguments are stored unchanged. */
  readonly sealed?: boolean | undefined;
}

const noRows: readonly LedgerRow[] = [];

/** Records of what has happened outside of the run, and of its end. */
const facts: ReadonlySet<JournalEventType> = new Set<JournalEventType>([
  "model.started",
  "model.result",
  "tool.outcome",
  "run.suspended",
  "run.end",
]);

/**
 * The records that a run keeps when it is given back in the middle of a step. The last ones that only announce work are
 * left out: the work has not begun, and an intent without an outcome would be a question to a person.
 */
export function factsOf(events: readonly JournalEvent[]): readonly JournalEvent[] {
  return events.slice(0, events.findLastIndex(({ type }) => facts.has(type)) + 1);
}

/** The members that every record has. */
type Common = Pick<JournalEvent, "seq" | "at" | "key" | "label" | "runId" | "labels">;
/** A record while it gets them. */
type Assigned = { -readonly [Member in keyof Common]: Common[Member] };

/**
 * The journal of a run, opened for writing under a lease, with the connections that a run makes before its first record.
 * A class, because there is one for every run: instances share their methods, closures would not.
 */
export class JournalWriter implements Journal {
  readonly state: RunState;
  lease: Lease;
  readonly #options: JournalWriterOptions;
  #subscribers: readonly JournalSubscriber[] = [];
  #labels: Labeller | undefined;
  /** Events that wait to be written, in order. */
  #events: JournalEvent[] = [];
  #attachments: readonly LedgerRow[] = noRows;
  #inFlight: Promise<void> | undefined;
  #following: Promise<void> | undefined;
  /** The reason why writing has stopped. */
  failure: Error | undefined;
  /** A write failed, so that the store may have other records than this process. */
  isLost: boolean = false;

  constructor(options: JournalWriterOptions) {
    this.#options = options;
    this.state = options.state ?? emptyRunState();
    this.lease = options.lease;
  }

  get head(): Head {
    return this.lease.head;
  }

  /** Labels later records that have no label; the labeller sees each record before the subscribers do. */
  labelWith(labels: Labeller): void {
    this.#labels = labels;
  }

  /**
   * Adds subscribers that get later records of their types, in the order of the list, after the record is folded.
   *
   * @returns a function that removes them.
   */
  subscribe(subscribers: readonly JournalSubscriber[]): () => void {
    this.#subscribers = [...this.#subscribers, ...subscribers];
    return () => {
      this.#subscribers = this.#subscribers.filter((one) => !subscribers.includes(one));
    };
  }

  record(given: JournalEventInput, attachments?: readonly LedgerRow[]): JournalEvent {
    const { state } = this;
    const { secrets, sealed, clock, lease } = this.#options;
    const input = secrets === undefined ? given : keptRecord(given, secrets, sealed === true);
    // Taken over, not copied: a run makes several records for each call.
    const event = input as JournalEvent;
    const own: Assigned = event;
    own.seq = state.seq + 1;
    own.at = clock.now();
    own.key = input.key ?? eventKey(state, input);
    if (input.label === undefined) {
      const assigned = this.#labels?.labelFor(input);
      own.label = assigned?.label ?? defaultLabel(input);
      if ((assigned?.labels?.length ?? 0) > 0) own.labels = assigned?.labels;
    }
    own.runId = lease.runId;
    fold(state, event);
    // After a failure, records in memory still show how the run ended, but nothing more is written.
    if (this.failure === undefined) {
      this.#events.push(event);
      if (attachments !== undefined) this.#attachments = [...this.#attachments, ...attachments];
    }
    this.#labels?.observe(event);
    for (const subscriber of this.#subscribers)
      if (subscriber.types === "all" || subscriber.types.includes(event.type)) subscriber.hear(event);
    return event;
  }

  commit(): Promise<void> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    if (this.#inFlight === undefined) return this.#events.length === 0 ? Promise.resolve() : this.#start(this.#write());
    if (this.#events.length === 0) return this.#inFlight;
    if (this.#following === undefined) {
      this.#following = this.#inFlight.then(() => {
        this.#following = undefined;
        return this.commit();
      });
      this.#following.catch(() => {});
    }
    return this.#following;
  }

  async release(next: Release, session?: SessionAppend): Promise<void> {
    while (this.#inFlight !== undefined) await this.#inFlight;
    if (this.failure !== undefined) throw this.failure;
    await this.#start(this.#write({ next, session }));
  }

  close(): void {
    if (this.failure !== undefined) return;
    this.failure = new FencedError(this.lease.runId);
    this.#events = [...factsOf(this.#events)];
  }

  async abandon(next: Release): Promise<void> {
    this.close();
    while (this.#inFlight !== undefined) await this.#inFlight.catch(() => {});
    if (!this.isLost && this.#events.length > 0) await this.#start(this.#write());
    await this.#options.store.release(this.lease, next);
  }

  #start(work: Promise<void>): Promise<void> {
    const landed = (): void => {
      if (this.#inFlight === flight) this.#inFlight = undefined;
    };
    const flight = work.then(landed, (error: unknown) => {
      landed();
      throw error;
    });
    // Awaiting commits throw the failure; if none awaits, the rejection must not end the process.
    flight.catch(() => {});
    this.#inFlight = flight;
    return flight;
  }

  /** Passes all waiting events to the store. */
  async #write(andRelease?: { readonly next: Release; readonly session: SessionAppend | undefined }): Promise<void> {
    const { store, codec, ledger } = this.#options;
    const [recorded, rows] = [this.#events, this.#attachments];
    this.#events = [];
    this.#attachments = noRows;
    try {
      const events = codec === undefined ? recorded : await codec.encode(recorded);
      const beside = codec?.beside;
      const attachments = beside === undefined || rows.length === 0 ? rows : await beside.rows(rows);
      const given = andRelease?.session;
      const session = beside === undefined || given === undefined ? given : await beside.session(given);
      const { lease } = this;
      // After a crash between the two writes the effect is found in the ledger, and not repeated.
      if (ledger !== undefined) for (const row of attachments) await ledger.put(row);
      const appended = this.#append(lease, events, attachments);
      if (andRelease === undefined) {
        if (appended !== undefined) this.#landed(lease, await appended, events.at(-1)?.seq);
        return;
      }
      // Called before the append is awaited, so that a store with group commit writes both in one transaction.
      const seq = events.at(-1)?.seq ?? lease.head.seq;
      const after = seq === lease.head.seq ? lease : { ...lease, head: { seq, hash: "" } };
      const released = store.release(after, andRelease.next, session);
      released.catch(() => {});
      if (appended !== undefined) this.lease = { ...lease, head: await appended };
      await released;
    } catch (error) {
      if (error === this.failure) throw error;
      this.isLost = true;
      this.failure = this.#toFailure(error);
      throw this.failure;
    }
  }

  #append(lease: Lease, events: readonly JournalEvent[], rows: readonly LedgerRow[]): Promise<Head> | undefined {
    const { store, ledger } = this.#options;
    if (events.length === 0) return undefined;
    return ledger !== undefined || rows.length === 0 ? store.append(lease, events) : store.append(lease, events, rows);
  }

  /** Moves the head after an append. Work that waits for its records does not begin if the run was given back meanwhile. */
  #landed(lease: Lease, head: Head, seq: number | undefined): void {
    this.lease = { ...lease, head };
    // The store of the run left out records: nothing can follow them.
    if (head.seq !== seq) this.#events = [];
    if (this.failure !== undefined) throw this.failure;
  }

  #toFailure(error: unknown): Error {
    if (isFenced(error)) return error;
    const { runId, head } = this.lease;
    return new JournalUnavailableError(runId, uncertainCalls(this.state, head.seq), { cause: error });
  }
}

/** A subscriber of a run's records, called synchronously and in order. */
export interface JournalSubscriber {
  readonly name: string;
  /** Types of the records that it receives. */
  readonly types: "all" | readonly JournalEventType[];
  hear(event: JournalEvent): void;
}

/**
 * The label of a record without a flow policy: input of people is the user's, except parts that are marked untrusted;
 * decisions of the framework are the system's; output of a model or a tool is untrusted.
 */
function defaultLabel(event: JournalEventInput): LabelId {
  switch (event.type) {
    case "run.start":
      return [...event.history, ...event.input].some(hasUntrustedPart) ? "untrusted" : "user";
    case "input.answered":
      return event.by === "client" ? "untrusted" : "user";
    case "signal.taken":
    case "tool.approval.decided":
    case "model.decided":
      return "user";
    case "message.inserted":
      if (event.by === "hook") return "verified";
      if (event.by === "extension") return "untrusted";
      return event.by === "steer" || event.by === "follow_up" || event.by === "input" ? "user" : "system";
    case "model.result":
    case "tool.call":
    case "tool.outcome":
    case "tool.result":
    case "state.changed":
    case "state.conflict":
    case "state.saved":
    case "run.end":
      return "untrusted";
    default:
      return "system";
  }
}

function hasUntrustedPart({ role, content }: Message): boolean {
  return role === "user" && typeof content !== "string" && content.some((part) => part.untrusted === true);
}
