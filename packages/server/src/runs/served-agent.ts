import type {
  AuditVerdict,
  Decision,
  ForkOptions,
  Interruption,
  JournalEvent,
  KeptMessage,
  RunHandle,
  RunInput,
  RunOptions,
  RunOutput,
  RunProgress,
  RunStore,
  SessionStore,
  StoredRun,
} from "@bailiwick/core";

/** The part of an agent that the handlers need; every `Agent` has it. */
export interface ServedAgent {
  /** Name of the agent in addresses and records. */
  readonly name: string;
  /** The agent's sessions, to read; absent for an agent without sessions. */
  readonly sessions?: SessionStore | undefined;
  /**
   * Starts a run and returns its events.
   *
   * @param input - The user's text, parts, or message.
   * @param options - Settings of this run.
   */
  stream(input: RunInput, options?: RunOptions): RunHandle;
  /**
   * Resumes a run with decisions and returns its events.
   *
   * @param runId - Id of the run.
   * @param decisions - Decisions about its open questions.
   * @param options - Settings of this run.
   */
  resumeStream(runId: string, decisions?: readonly Decision[], options?: RunOptions): RunHandle;
  /**
   * Returns the open questions of a run.
   *
   * @param runId - Id of the run.
   */
  interruptions(runId: string): Promise<readonly Interruption[]>;
  /**
   * Stores decisions without driving the run; returns the number of new ones.
   *
   * @param runId - Id of the run.
   * @param decisions - Decisions about its open questions.
   */
  decide(runId: string, decisions: readonly Decision[]): Promise<number>;
  /**
   * Returns a run with its journal.
   *
   * @param runId - Id of the run.
   */
  inspect(runId: string): Promise<RunReport>;
  /**
   * Checks the signatures of a run's journal.
   *
   * @param runId - Id of the run.
   */
  verifyAudit(runId: string): Promise<AuditVerdict>;
  /**
   * Computes the output of an ended run from its journal.
   *
   * @param runId - Id of the run.
   */
  replay(runId: string): Promise<RunOutput | undefined>;
  /**
   * Starts a run that shares the first records of another.
   *
   * @param runId - Id of the run.
   * @param options - The last record to keep, and edits.
   */
  fork(runId: string, options: ForkOptions): Promise<{ readonly runId: string }>;
  /**
   * Adds a message that the running run reads next.
   *
   * @param runId - Id of the run.
   * @param message - The user's text, parts, or message.
   */
  steer(runId: string, message: RunInput): Promise<KeptMessage>;
  /**
   * Cancels a run.
   *
   * @param runId - Id of the run.
   * @param reason - Reason, which is journaled.
   */
  cancel(runId: string, reason?: string): Promise<void>;
}

/** An agent's report about a run. */
export interface RunReport {
  /** The stored run. */
  readonly run: StoredRun;
  /** Its journal, in order. */
  readonly events: readonly JournalEvent[];
  /** `undefined` while the run is queued, running or stuck. */
  readonly output: RunOutput | undefined;
  /** Its turns, tokens and cost so far. */
  readonly progress: RunProgress;
  /** Its open questions. */
  readonly interruptions: readonly Interruption[];
}

/** The part of a store that the handlers need; every `RunStore` has it. */
export type ServedStore = Pick<RunStore, "name" | "getRun" | "listRuns" | "deleteRun">;
