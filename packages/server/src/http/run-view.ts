import type { RunOutput, StoredRun } from "@bailiwick/core";
import type { UsageView } from "../ui-stream/index.ts";

/** A run in a list. */
export interface RunView {
  readonly runId: string;
  readonly sessionId: string;
  readonly userId?: string | undefined;
  /** The state in the store: `ready`, `running`, `waiting`, `sleeping`, `done`, `failed`. */
  readonly state: StoredRun["state"];
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A run with what came of it. */
export interface RunDetail extends RunView {
  readonly status?: RunOutput["status"] | undefined;
  readonly stopReason?: RunOutput["stopReason"] | undefined;
  readonly text: string;
  readonly usage: UsageView;
  readonly costUsd?: number | undefined;
}

/** A run as a list shows it. */
export function runView(run: StoredRun): RunView {
  const { id, sessionId, userId, state, createdAt, updatedAt } = run;
  return { runId: id, sessionId, ...(userId !== undefined && { userId }), state, createdAt, updatedAt };
}

/** A run as it is shown by itself. A run that is at work has no status yet. */
export function runDetail(run: StoredRun, output: RunOutput): RunDetail {
  const { status, stopReason, text, costUsd } = output;
  const { promptTokens, completionTokens, totalTokens } = output.usage;
  const rests = run.state !== "running" && run.state !== "ready";
  return {
    ...runView(run),
    ...(rests && { status, stopReason }),
    text,
    usage: { promptTokens, completionTokens, totalTokens },
    ...(costUsd !== undefined && { costUsd }),
  };
}
