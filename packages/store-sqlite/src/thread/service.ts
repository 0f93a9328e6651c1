import type { MemoryCalls } from "./memory-service.ts";
import type { OutboxCalls } from "./outbox-service.ts";
import type { FactsColumns, FoundColumns, SearchCalls } from "./search-service.ts";

export type { SearchColumns } from "./search-service.ts";

/**
 * Calls of the database's thread. Only plain values are sent: text instead of objects, so the side with the object
 * decides its written form.
 */

/** The fields of a lease that the database reads. */
export interface Held {
  readonly runId: string;
  readonly owner: string;
  readonly epoch: number;
  readonly seq: number;
  /** Empty: not compared. */
  readonly hash: string;
}

/** A lease as the database returns it. */
export interface GivenLease extends Held {
  readonly expiresAt: number;
}

/** Columns with which a run is created; `parent` and `input` are JSON. */
export interface RunColumns {
  readonly id: string;
  readonly agentId: string;
  readonly definitionHash: string;
  readonly sessionId: string;
  readonly tenantId: string | null;
  readonly userId: string | null;
  readonly parent: string | null;
  readonly input: string;
  readonly deadlineAt: number | null;
  readonly idempotencyKey: string | null;
  readonly dueAt: number | null;
  readonly priority: number;
  readonly inSession: boolean;
  /** Words of the input that a search reads. */
  readonly words: string;
}

/** A stored run; `waitingOn` is JSON. */
export interface RunRow extends Omit<RunColumns, "words"> {
  readonly state: string;
  readonly seq: number;
  readonly hash: string;
  readonly epoch: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly waitingOn: string | null;
  readonly enqueuedAt: number;
  readonly attempts: number;
  readonly settledAt: number | null;
}

/** A run that a search found. */
export type FoundRow = FoundColumns<RunRow>;

/** A limit of a tenant or an agent; `null` for none. */
export interface ClaimLimitColumns {
  readonly concurrency: number | null;
  readonly runsPerMinute: number | null;
}

/** Runs that a worker claims. */
export interface ClaimColumns {
  readonly owner: string;
  readonly ttlMs: number;
  readonly limit: number;
  readonly agents: readonly {
    readonly agentId: string;
    readonly definitionHashes: readonly string[] | null;
    readonly limit: ClaimLimitColumns | null;
  }[];
  readonly exceptTenants: readonly (string | null)[];
  readonly tenantLimit: ClaimLimitColumns | null;
  readonly tenantWeights: Readonly<Record<string, number>>;
  readonly maxAttempts: number;
  readonly suspects: boolean;
}

/** A run with the lease that was taken. */
export interface ClaimedRow {
  readonly run: RunRow;
  readonly lease: GivenLease;
}

/** The answer to a claim. */
interface ClaimRows {
  readonly runs: readonly ClaimedRow[];
  readonly stuck: readonly string[];
  readonly suspects: boolean;
  readonly nextDueAt: number | null;
}

/** Number of waiting runs of an agent. */
interface DepthRow {
  readonly agentId: string;
  readonly queued: number;
  readonly delayed: number;
  readonly running: number;
  readonly stuck: number;
  readonly oldestQueuedAt: number | null;
  readonly oldestQueuedId: string | null;
}

/** Records of one append, the first right after the lease's head. */
export interface Appended {
  readonly keys: readonly string[];
  readonly texts: readonly string[];
  /** True if one of them shows progress of the run. */
  readonly progress: boolean;
  /** Id and name of the signals that they take from the inbox. */
  readonly taken: readonly (readonly [id: string, name: string])[];
  readonly ledger: readonly LedgerColumns[];
  /** Additions to the facts of the run, and words of its answer. */
  readonly facts: FactsColumns & { readonly words: string };
}

/** Identity of a row of the ledger. */
export type LedgerIdentity = readonly [kind: string, scope: string, toolName: string, key: string];

/** A row of the ledger; `outcome` is JSON. */
export interface LedgerColumns {
  readonly identity: LedgerIdentity;
  readonly state: string;
  readonly runId: string;
  readonly callKey: string;
  readonly inputHash: string;
  readonly outcome: string | null;
  readonly expiresAt: number;
}

/** A signal in an inbox; `payload` is JSON. */
export interface InboxRow {
  readonly id: string;
  readonly name: string;
  readonly payload: string | null;
}

/** Filter of listed runs. */
export interface ListedRuns {
  readonly tenantId: string | null;
  readonly userId: string | null;
  readonly allUsers: boolean;
  readonly allTenants: boolean;
  readonly sessionId: string | null;
  readonly agentId: string | null;
  /** Empty: all of them. */
  readonly states: readonly string[];
  readonly settledSince: number | null;
  readonly settledBefore: number | null;
  readonly before: number | null;
  readonly limit: number;
}

/** A message of a session: its JSON, and the text that people search, in lower case. */
export interface MessageColumns {
  readonly id: string;
  readonly text: string;
  readonly search: string;
}

/** The owner of a session; `null` means no tenant, or no user. */
export interface OwnerKey {
  readonly tenantId: string | null;
  readonly userId: string | null;
}

/** A session's id and owner. */
export interface SessionKey extends OwnerKey {
  readonly id: string;
}

/** Writes to a session's state; values are JSON, `null` means no value. */
export interface StateWrites {
  readonly key: SessionKey;
  readonly writes: readonly { readonly name: string; readonly value: string; readonly expected: string | null }[];
  readonly runId: string;
  readonly once: string | null;
}

/** The result of such writes: JSON of a state, or the newer values by name. */
export type StateResult =
  | { readonly written: true; readonly repeated?: string }
  | { readonly written: false; readonly newer: readonly (readonly [name: string, value: string | null])[] };

/** Messages of a run that join its session; `state` is JSON. */
export interface SessionJoined {
  readonly key: SessionKey;
  readonly messages: readonly MessageColumns[];
  readonly state: string;
  readonly runId: string;
  readonly seq: number;
}

/** A stored session: JSON of its state and of each message. */
export interface SessionTexts {
  readonly state: string;
  readonly version: number;
  readonly messages: readonly string[];
}

/** A session to be copied, with the runs that joined it. */
interface SessionCopied extends SessionTexts {
  readonly joined: readonly (readonly [runId: string, seq: number])[];
}

/** The state of a run after its lease is released; `waitingOn` and `unlessSignals` are JSON. */
export interface Released {
  readonly state: string;
  readonly waitingOn: string | null;
  readonly dueAt: number | null;
  readonly unlessSignals: string;
}

/** Stored records of one page. */
export interface Loaded {
  readonly texts: readonly string[];
  /** True if there are others after them. */
  readonly more: boolean;
}

/** The lease on the outer run. */
export type Outer = Pick<Held, "runId" | "epoch" | "owner">;

/** The result of a renewal. */
interface Renewed {
  readonly runId: string;
  readonly held: boolean;
  readonly signalsWaiting: boolean;
}

/** The calls of the database's thread. Each refuses with a `Failure`. */
export interface DatabaseService extends MemoryCalls, OutboxCalls, SearchCalls<RunRow> {
  create(
    columns: RunColumns,
    holder: { readonly owner: string; readonly ttlMs: number; readonly under: Outer | undefined } | undefined,
  ): Promise<{ readonly run: RunRow; readonly created: boolean; readonly lease: GivenLease | undefined }>;
  acquire(runId: string, owner: string, ttlMs: number, under?: Outer, gone?: number): Promise<GivenLease | null>;
  claim(request: ClaimColumns): Promise<ClaimRows>;
  requeue(runId: string, epoch: number, dueAt: number | null): Promise<boolean>;
  queueDepth(): Promise<readonly DepthRow[]>;
  /** Changes with each commit of another process. */
  version(): Promise<number>;
  append(lease: Held, appended: Appended): Promise<{ readonly seq: number; readonly hash: string }>;
  renew(leases: readonly Held[], ttlMs: number): Promise<readonly Renewed[]>;
  release(lease: Held, next: Released, session: SessionJoined | undefined): Promise<void>;
  /** True if the signal is new. */
  signal(runId: string, signal: InboxRow): Promise<boolean>;
  takeSignals(lease: Held): Promise<readonly InboxRow[]>;
  /** Some of the records after one of them, in order, verified against the append. */
  load(runId: string, afterSeq: number): Promise<Loaded>;
  get(runId: string, key: string): Promise<string | undefined>;
  getRun(runId: string): Promise<RunRow | undefined>;
  listRuns(filter: ListedRuns): Promise<readonly RunRow[]>;
  /** True if the run was deleted; with an epoch, only if the run still has it and is not driven. */
  deleteRun(runId: string, epoch: number | null): Promise<boolean>;
  /** Returns free pages to the file system, at most this number. */
  shrink(mostPages: number): Promise<{ readonly freedBytes: number; readonly leftPages: number }>;
  /** Stores the bytes and returns their SHA-256. */
  putBlob(bytes: Uint8Array): Promise<string>;
  getBlob(hash: string): Promise<Uint8Array>;
  getLedgerRow(identity: LedgerIdentity): Promise<LedgerColumns | undefined>;
  /** The conflicting row; `undefined` if the key is reserved now. */
  reserveLedgerRow(row: LedgerColumns): Promise<LedgerColumns | undefined>;
  putLedgerRow(row: LedgerColumns): Promise<void>;
  releaseLedgerRow(identity: LedgerIdentity, runId: string): Promise<void>;
  loadSession(key: SessionKey, asOf: number | null): Promise<SessionTexts | undefined>;
  /** Throws if the session does not exist. */
  exportSession(key: SessionKey): Promise<SessionCopied>;
  joinSession(session: SessionJoined): Promise<void>;
  loadState(key: SessionKey): Promise<string | undefined>;
  writeState(writes: StateWrites): Promise<StateResult>;
  shareSession(key: SessionKey): Promise<void>;
  /** Hands over a session without a user, with its runs. */
  claimSession(key: SessionKey): Promise<void>;
  listSessions(owner: OwnerKey, limit: number): Promise<readonly { readonly id: string; readonly updatedAt: number }[]>;
  searchSessions(
    owner: OwnerKey,
    words: readonly string[],
    limit: number,
  ): Promise<readonly { readonly id: string; readonly text: string }[]>;
  branchSession(key: SessionKey, newId: string, uptoMessageId: string | undefined): Promise<void>;
  editMessage(key: SessionKey, messageId: string, message: MessageColumns): Promise<void>;
  /** Deletes a session with its runs. */
  deleteSession(key: SessionKey): Promise<{ readonly runs: number; readonly open: number }>;
  importSession(
    key: SessionKey,
    state: string,
    messages: readonly MessageColumns[],
    joined: SessionCopied["joined"],
  ): Promise<void>;
}
