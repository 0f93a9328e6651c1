import type { Owner } from "../owner.ts";
import type { RunStatus } from "../stop-reason.ts";

/** The fields with which a run is created. */
export interface RunRecord extends Owner {
  /** Id of the run. */
  readonly id: string;
  /** Name of the agent. */
  readonly agentId: string;
  /** Hash of the agent's definition when the run began. */
  readonly definitionHash: string;
  /** Session of the run. */
  readonly sessionId: string;
  /** The run and the call that contain this run. */
  readonly parent?: { readonly runId: string; readonly toolCallId: string } | undefined;
  /** The input of the run; with `keys.seal` a sealed value. */
  readonly input: unknown;
  /** Milliseconds since the epoch. */
  readonly deadlineAt?: number | undefined;
  /** Key under which the run was enqueued. */
  readonly idempotencyKey?: string | undefined;
  /** Earliest time of a claim by a worker, in milliseconds since the epoch. */
  readonly dueAt?: number | undefined;
  /** Runs with a larger number are claimed first; default 0. A whole number. */
  readonly priority?: number | undefined;
  /**
   * The run reads and extends its session: only one such run of a session is driven at a time, and workers claim them
   * in the order of their creation.
   */
  readonly inSession?: boolean | undefined;
}

/** The state of a run in its store. For a run that ended, is suspended or sleeps, it is the status of its output. */
export type StoredRunState = RunStatus | "queued" | "running" | "stuck";

/** A stored run without its events. */
export interface StoredRun extends RunRecord {
  /** State in the queue, such as `queued`, `running` or `completed`. */
  readonly state: StoredRunState;
  /** Sequence number and hash of the newest record. */
  readonly head: Head;
  /** Epoch of the newest lease. */
  readonly epoch: number;
  /** Milliseconds since the epoch, by the store's clock. */
  readonly createdAt: number;
  /** Time of the last change, in milliseconds since the epoch. */
  readonly updatedAt: number;
  /** Questions that a suspended run waits for. */
  readonly waitingOn?: readonly string[] | undefined;
  /** Time at which the run was first queued, in milliseconds since the epoch: the age of the queue. */
  readonly enqueuedAt: number;
  /** Number of times that a lease expired without progress. At the limit of a claim the run becomes `stuck`. */
  readonly attempts: number;
  /**
   * Time at which the run ended, became `stuck`, or was suspended, in milliseconds since the epoch by the store's
   * clock. Absent while the run is queued, driven or asleep.
   */
  readonly settledAt?: number | undefined;
}

/** The last record of a journal. */
export interface Head {
  /** 0 for an empty journal. */
  readonly seq: number;
  /** Hash chain over the records; empty for an empty journal. */
  readonly hash: string;
}
