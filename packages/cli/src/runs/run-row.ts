import type { StoredRun } from "@bailiwick/core";

/** A stored run as `--json` prints it. */
export interface RunRow {
  readonly id: string;
  readonly agent: string;
  readonly state: string;
  /** Names of what the run waits for. */
  readonly waitingOn: readonly string[];
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly records: number;
  readonly attempts: number;
  readonly sessionId: string;
  readonly tenantId: string | null;
  readonly userId: string | null;
  /** The run whose tool call this run belongs to. */
  readonly parentRunId: string | null;
}

/** Selects the printed fields of a stored run. */
export function runRow(run: StoredRun): RunRow {
  return {
    id: run.id,
    agent: run.agentId,
    state: run.state,
    waitingOn: run.waitingOn ?? [],
    createdAt: new Date(run.createdAt).toISOString(),
    updatedAt: new Date(run.updatedAt).toISOString(),
    records: run.head.seq,
    attempts: run.attempts,
    sessionId: run.sessionId,
    tenantId: run.tenantId ?? null,
    userId: run.userId ?? null,
    parentRunId: run.parent?.runId ?? null,
  };
}
