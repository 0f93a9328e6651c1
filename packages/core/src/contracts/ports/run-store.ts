import type { JournalEvent } from "../journal-event.ts";
import type { Signal } from "../signal.ts";
import type { Message } from "../message.ts";
import type { Owner } from "../owner.ts";
import type { BlobStore } from "./blob-store.ts";
import type { Ledger, LedgerRow } from "./ledger.ts";
import type { Outbox } from "./outbox.ts";
import type { FoundRuns, RunCounts, RunSearch } from "./run-search.ts";
import type { SessionStore } from "./session-store.ts";
import type { Head, RunRecord, StoredRun, StoredRunState } from "./stored-run.ts";

/** Permission to write one run, until it expires. */
export interface Lease {
  /** Id of the run. */
  readonly runId: string;
  /** The process that holds the lease. */
  readonly owner: string;
  /** Number of the lease. It grows each time the run is claimed, and writes under an older lease are refused. */
  readonly epoch: number;
  /** Position and hash of the last record. */
  readonly head: Head;
  /** Milliseconds since the epoch, by the store's clock. */
  readonly expiresAt: number;
}

/** The process that asks for a lease. */
export interface LeaseHolder {
  /** Id of the process. */
  readonly owner: string;
  /** Duration of the lease without renewal, in milliseconds. */
  readonly ttlMs: number;
  /** The lease on the calling run, for a run inside a tool call in the same store. */
  readonly under?: Lease | undefined;
}

/** A limit that claims keep over all processes of a store. */
export interface ClaimLimit {
  /** Maximum number of runs that are driven at the same time. Runs that no claim started count too. */
  readonly concurrency?: number | undefined;
  /** Maximum number of runs that are claimed within a minute. */
  readonly runsPerMinute?: number | undefined;
}

/** A worker's request for runs. */
export interface ClaimRequest {
  /** Id of the worker's process. */
  readonly owner: string;
  /** Duration of the leases without renewal, in milliseconds. */
  readonly ttlMs: number;
  /** Runs at most. */
  readonly limit: number;
  /** Claims only runs of these agents; with `definitionHashes`, only runs of these definitions. */
  readonly agents: readonly ClaimedAgent[];
  /** Tenants whose runs are not claimed for now; `undefined` means runs without a tenant. */
  readonly exceptTenants?: readonly (string | undefined)[] | undefined;
  /** Limit of each tenant; runs without a tenant are one tenant. Default: none. */
  readonly tenantLimit?: ClaimLimit | undefined;
  /** Turns that a tenant gets for one turn of the others; default 1. */
  readonly tenantWeights?: Readonly<Record<string, number>> | undefined;
  /** An expired run whose lease ended this many times without progress becomes `stuck` instead of being claimed. */
  readonly maxAttempts: number;
  /** `true`: only runs whose lease expired before without progress. `false`: all other runs. */
  readonly suspects: boolean;
}

/** An agent whose runs a worker claims. */
export interface ClaimedAgent {
  /** Name of the agent. */
  readonly agentId: string;
  /**
   * Definitions that the worker drives; all if left out. A run of another definition waits for a worker that has it.
   */
  readonly definitionHashes?: readonly string[] | undefined;
  /** Limit of the agent. Default: none. */
  readonly limit?: ClaimLimit | undefined;
}

/** A claimed run, with the lease that was taken. */
export interface ClaimedRun {
  /** The run. */
  readonly run: StoredRun;
  /** The lease that the worker holds on it. */
  readonly lease: Lease;
}

/** The runs of a claim, and the time of the next one. */
export interface Claim {
  /**
   * Expired runs first; then by priority, by the turns of tenants, by the turns of a tenant's agents, and by age. So a
   * tenant waits for its own runs, however many another tenant has queued.
   */
  readonly runs: readonly ClaimedRun[];
  /** Ids of the runs that became `stuck` in this claim. */
  readonly stuck: readonly string[];
  /** True while a run that may have crashed its process waits to be driven alone. */
  readonly suspects: boolean;
  /** Time at which the next sleeper, delayed run or lease of these agents is due, in milliseconds since the epoch. */
  readonly nextDueAt: number | undefined;
}

/** Number of runs of an agent that wait for a worker. */
export interface QueueDepth {
  /** Name of the agent. */
  readonly agentId: string;
  /** Runs that can be claimed now or wait for an earlier run of their session. */
  readonly queued: number;
  /** Runs that are due later. */
  readonly delayed: number;
  /** Runs that a process drives. */
  readonly running: number;
  /** Runs that crashed their process too often. */
  readonly stuck: number;
  /** Time at which the longest waiting run was queued, in milliseconds since the epoch. */
  readonly oldestQueuedAt: number | undefined;
  /** The id of that run. */
  readonly oldestQueuedId: string | undefined;
}

/** The run that `create` made or found. */
export interface CreatedRun {
  /** The run. */
  readonly run: StoredRun;
  /** False if the run existed. */
  readonly created: boolean;
  /** The lease of a new run that was created with a holder. */
  readonly lease?: Lease | undefined;
}

/** The state of a run after its lease is released. */
export type Release =
  /** With `dueAt`: earliest time of a claim, in milliseconds since the epoch. */
  | { readonly state: "queued"; readonly dueAt?: number | undefined }
  | { readonly state: "suspended"; readonly waitingOn: readonly string[] }
  | { readonly state: "sleeping"; readonly wakeAt: number }
  /** Names of signals: while one of these is in the run's inbox, the run is `queued` instead. */
  | { readonly state: "completed"; readonly unlessSignals?: readonly string[] | undefined }
  | { readonly state: "stopped" | "cancelled" | "failed" }
  /** The run crashed its process too often. */
  | { readonly state: "stuck" };

/** Messages of a run that join its session in the transaction in which the run ends or begins to wait. */
export interface SessionAppend extends Owner {
  /** Id of the session. */
  readonly sessionId: string;
  /** Messages to append. */
  readonly messages: readonly Message[];
  /** Values to set in the session's state. */
  readonly state: Readonly<Record<string, unknown>>;
  /** Id of the run that ends. */
  readonly runId: string;
  /** Position of the record with which the run ends or begins to wait. */
  readonly seq: number;
  /** Set if the messages of the run carry their `askedAt`. */
  readonly askedAt?: number | undefined;
}

/** Filter of listed runs. */
export interface RunFilter {
  /** Lists runs of this session. Default: all. */
  readonly sessionId?: string | undefined;
  /** Lists runs of the agent of this name. Default: all. */
  readonly agentId?: string | undefined;
  /** A state, or several. */
  readonly state?: StoredRunState | readonly StoredRunState[] | undefined;
  /** The tenant that owns the runs; by default, only runs without a tenant. */
  readonly tenantId?: string | undefined;
  /** The user who owns the runs; by default, only runs without a user. */
  readonly userId?: string | undefined;
  /** Lists the runs of every user of the tenant, for an inbox, support or retention. Leave out `userId` then. */
  readonly allUsers?: boolean | undefined;
  /** Lists the runs of all tenants and users, for the operator of the store. Leave out `tenantId` and `userId` then. */
  readonly allTenants?: boolean | undefined;
  /**
   * Earliest `settledAt` of a run, in milliseconds since the epoch. With `settledSince` or `settledBefore`, runs are
   * listed by `settledAt`, oldest first, and runs inside calls are left out.
   */
  readonly settledSince?: number | undefined;
  /** Time before which a run settled (`settledAt`), in milliseconds since the epoch. */
  readonly settledBefore?: number | undefined;
  /** Time before which a run was created, in milliseconds since the epoch. */
  readonly before?: number | undefined;
  /** Default 50. */
  readonly limit?: number | undefined;
}

/**
 * Stores runs. Every append is an atomic compare-and-set on the lease's epoch and the head, so a stale holder writes
 * nothing. Leases use the store's own clock, never the caller's.
 */
export interface RunStore extends BlobStore {
  /** Names the store in errors, such as `sqlite:/data/runs.db`. */
  readonly name: string;
  /** `false`: runs end with the process. */
  readonly durable: boolean;
  /** The ledger of the same store: its rows may travel as attachments of an append. */
  readonly ledger?: Ledger | undefined;
  /** The sessions of the same store: a run's messages join them in the transaction of its release. */
  readonly sessions?: SessionStore | undefined;
  /** Events that wait for their delivery, such as those of webhooks. */
  readonly outbox?: Outbox | undefined;
  /**
   * Creates a run. If a run with the same idempotency key and owner exists, that run is returned.
   *
   * @param record - The run.
   * @param holder - The process that drives a new run at once: it gets the lease in the same step, so no other process
   *   can claim the run. The lease of an existing run is not taken.
   * @throws StoreError `RUN_EXISTS`
   * @throws FencedError when `holder.under` is stale; no lease is given then.
   * @throws SessionBusyError when the run is `inSession`, has a holder, and another run of its session is driven; nothing
   * is stored then.
   */
  create(record: RunRecord, holder?: LeaseHolder): Promise<CreatedRun>;
  /**
   * Acquires the lease of a run; `null` while another owner holds it. An expired lease is replaced, and every lease has
   * the next epoch. The same step ends the leases on all runs inside its calls, at any depth: the process that held
   * them lost the outer run, and can no longer write below it.
   *
   * @param runId - Id of the run.
   * @param owner - Name of the process that wants to drive the run.
   * @param ttlMs - Duration of the lease, in milliseconds.
   * @param under - For a run inside a tool call: the caller's lease on the run that made the call.
   * @param gone - The epoch of a lease whose owner is known to be gone: it is replaced before it expires, if it is
   * still the newest one.
   * @throws RunNotFoundError
   * @throws FencedError when `under` is stale.
   * @throws SessionBusyError when the run is `inSession` and another run of its session is driven.
   */
  acquire(runId: string, owner: string, ttlMs: number, under?: Lease, gone?: number): Promise<Lease | null>;
  /**
   * Takes leases on runs that wait for a worker: queued runs, sleepers and delayed runs that are due, and runs whose
   * lease expired. Two claims at the same time get different runs, and neither waits for the other. A run inside a
   * tool call is never claimed, and a run of a session only when no earlier run of it is queued or driven.
   *
   * @param request - The claiming process, the agents it can drive, the number of runs, and the duration of their
   *   leases.
   */
  claim(request: ClaimRequest): Promise<Claim>;
  /**
   * Puts a run that is not driven back in the queue: a `stuck` one is retried, a queued one waits until `dueAt`, and a
   * failed one is driven again.
   *
   * @param runId - Id of the run.
   * @param epoch - Epoch of the run when the caller read it.
   * @param dueAt - Not claimed before this time, in milliseconds since the epoch; now when left out.
   * @returns `false` when it was resumed since, ended, or waits for a person.
   * @throws RunNotFoundError
   */
  requeue(runId: string, epoch: number, dueAt?: number): Promise<boolean>;
  /** Number of waiting runs by agent, of all tenants. */
  queueDepth(): Promise<readonly QueueDepth[]>;
  /**
   * Appends records after the lease's head; resolves when they are on disk. The lease's `head.hash` is only compared if
   * it is known: a caller that counts its own records may leave it empty.
   *
   * @param lease - The caller's lease, with the last record it knows as `head`.
   * @param events - The records, with consecutive numbers after the head.
   * @param attachments - Rows of the ledger that are written in the same transaction.
   * @throws FencedError when the lease is stale or its head is not the run's; nothing is written then.
   * @throws StoreError `DUPLICATE_KEY`, `SEQUENCE_GAP`, or an error of the disk; then nothing is written.
   */
  append(lease: Lease, events: readonly JournalEvent[], attachments?: readonly LedgerRow[]): Promise<Head>;
  /**
   * Extends leases; returns which are lost, and which runs have signals waiting.
   *
   * @param leases - The leases that this process holds.
   * @param ttlMs - New duration from now on, in milliseconds.
   */
  renew(
    leases: readonly Lease[],
    ttlMs: number,
  ): Promise<readonly { readonly runId: string; readonly held: boolean; readonly signalsWaiting: boolean }[]>;
  /**
   * Releases a lease after the last append; if the store keeps sessions too, a session's messages are written in the
   * same transaction. The session belongs to the run's owner, as stored. If called in the same turn of the event loop
   * as the last append, both are one transaction. A run that would be suspended while its inbox has signals is `queued`
   * instead; so is a run that would be completed while its inbox has one of `unlessSignals`.
   *
   * @param lease - The caller's lease.
   * @param next - The new state of the run, such as `suspended`, with the time at which it continues.
   * @param session - Messages and state to add to the run's session.
   * @throws FencedError when the lease is stale or its head is not the run's: the last append failed.
   */
  release(lease: Lease, next: Release, session?: SessionAppend): Promise<void>;
  /**
   * Puts a signal in a run's inbox, without a lease; deduplicated by id, also against signals that were taken. A
   * suspended or sleeping run becomes queued.
   *
   * @param runId - Id of the run.
   * @param signal - A decision, a message or a cancellation, with a unique id.
   * @throws RunNotFoundError
   */
  signal(runId: string, signal: Signal): Promise<void>;
  /**
   * Reads the inbox in order of arrival; signals leave it when the `signal.taken` records that name them are appended.
   *
   * @param lease - The lease on the run.
   * @throws FencedError when the lease is stale.
   */
  takeSignals(lease: Lease): Promise<readonly Signal[]>;
  /**
   * Records in order of `seq`.
   *
   * @param runId - Id of the run.
   * @param afterSeq - Number of the last record that the caller has already; default: all records are returned.
   * @throws RunNotFoundError
   */
  load(runId: string, afterSeq?: number): Promise<readonly JournalEvent[]>;
  /**
   * Returns the record of a key, or `undefined` if there is none.
   *
   * @param runId - Id of the run.
   * @param key - Key of the record, which is unique in a run.
   */
  get(runId: string, key: string): Promise<JournalEvent | undefined>;
  /**
   * Returns a run, or `undefined` if there is none.
   *
   * @param runId - Id of the run.
   */
  getRun(runId: string): Promise<StoredRun | undefined>;
  /**
   * Newest first; with a `settled…` filter, oldest first. Without a tenant or user: only runs that have none. Runs inside
   * calls of other runs are among them, with `parent`; `searchRuns` lists the outer runs alone.
   *
   * @param filter - Owner, states, agents and times of the runs, and the largest number.
   */
  listRuns(filter: RunFilter): Promise<readonly StoredRun[]>;
  /**
   * Searches runs, newest first, page by page, without reading a journal.
   *
   * @param search - Words and filters, the size of a page, and the place of the page.
   * @throws StoreError `SEARCH_CURSOR` when `after` is not the `next` of a page.
   */
  searchRuns(search: RunSearch): Promise<FoundRuns>;
  /**
   * Counts runs by state, of one tenant or of all.
   *
   * @param owner - A tenant, or `allTenants`.
   */
  countRuns(owner: Pick<RunSearch, "tenantId" | "allTenants">): Promise<RunCounts>;
  /**
   * Deletes a run with its records, its inbox, the runs inside its calls, and its blobs: those whose hash is in its
   * records, as a reference or inside a text, but in no record of another run. A blob that was put again for a record
   * that is not written yet stays for ten minutes; then a later `putBlob` or `deleteRun` removes it. The process that
   * drives the run is fenced.
   *
   * @param runId - Id of the run.
   * @param epoch - Deletes the run only if this is still its epoch, and no process drives it.
   * @returns `false` if there is no such run, or it was resumed in the meantime.
   */
  deleteRun(runId: string, epoch?: number): Promise<boolean>;
  /**
   * Calls back when a signal arrives for the run. Faster than polling through `renew`.
   *
   * @param runId - Id of the run.
   * @param callback - Called for each new signal, perhaps more than once.
   */
  subscribe?(runId: string, callback: () => void): () => void;
  /**
   * Calls back when a run may have become claimable, in this process or another one. False alarms are possible.
   *
   * @param callback - Called when a claim may find a run.
   * @returns a function that ends it.
   */
  onReady?(callback: () => void): () => void;
  /** Waits for writes and releases files and connections. */
  close?(): Promise<void>;
}
