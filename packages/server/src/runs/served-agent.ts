import type {
  AuditVerdict,
  Decision,
  ForkOptions,
  Interruption,
  JournalEvent,
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
  readonly name: string;
  /** The agent's sessions, to read; absent for an agent without sessions. */
  readonly sessions?: SessionStore | undefined;
  stream(input: RunInput, options?: RunOptions): RunHandle;
  resumeStream(runId: string, decisions?: readonly Decision[], options?: RunOptions): RunHandle;
  interruptions(runId: string): Promise<readonly Interruption[]>;
  inspect(runId: string): Promise<RunReport>;
  verifyAudit(runId: string): Promise<AuditVerdict>;
  replay(runId: string): Promise<RunOutput | undefined>;
  fork(runId: string, options: ForkOptions): Promise<{ readonly runId: string }>;
  steer(runId: string, message: RunInput): Promise<void>;
  cancel(runId: string, reason?: string): Promise<void>;
}

/** An agent's report about a run. */
export interface RunReport {
  readonly run: StoredRun;
  readonly events: readonly JournalEvent[];
  /** `undefined` while the run is queued, running or stuck. */
  readonly output: RunOutput | undefined;
  readonly progress: RunProgress;
  readonly interruptions: readonly Interruption[];
}

/** The part of a store that the handlers need; every `RunStore` has it. */
export type ServedStore = Pick<RunStore, "name" | "getRun" | "listRuns" | "deleteRun">;
