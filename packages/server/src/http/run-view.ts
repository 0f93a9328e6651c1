import type { RunOutput, StoredRun } from "@bailiwick/core";
import type { RunReport } from "../runs/served-agent.ts";
import type { UsageView } from "../ui-stream/index.ts";

/** A run in a list. */
export interface RunView {
  /** Id of the run. */
  readonly runId: string;
  /** Session of the run. */
  readonly sessionId: string;
  /** User of the run. */
  readonly userId?: string | undefined;
  /** The state in the store, such as `queued`, `running` or `completed`. */
  readonly state: StoredRun["state"];
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Time of the last change, in milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** A run with its result. */
export interface RunDetail extends RunView {
  /** How the run ended or why it stopped; absent while it is driven. */
  readonly status?: RunOutput["status"] | undefined;
  /** Reason for the end; missing until the run has ended. */
  readonly stopReason?: RunOutput["stopReason"] | undefined;
  /** Text of the answer. */
  readonly text: string;
  /** Tokens of all model calls. */
  readonly usage: UsageView;
  /** Cost in US dollars; missing if a price is unknown. */
  readonly costUsd?: number | undefined;
}

/** A run as a list shows it. */
export function runView(run: StoredRun): RunView {
  const { id, sessionId, userId, state, createdAt, updatedAt } = run;
  return { runId: id, sessionId, ...(userId !== undefined && { userId }), state, createdAt, updatedAt };
}

/** A single run. A running run has no status yet. */
export function runDetail({ run, output, progress }: Pick<RunReport, "run" | "output" | "progress">): RunDetail {
  const { text, costUsd } = progress;
  const { inputTokens, outputTokens, totalTokens } = progress.usage;
  return {
    ...runView(run),
    ...(output !== undefined && { status: output.status, stopReason: output.stopReason }),
    text,
    usage: { inputTokens, outputTokens, totalTokens },
    ...(costUsd !== undefined && { costUsd }),
  };
}
