import type { RunOutput } from "@bailiwick/core";

/** Result of a driven run as `--json` prints it. */
export interface OutputRow {
  readonly runId: string;
  readonly agent: string;
  readonly status: string;
  readonly stopReason: string;
  readonly text: string;
  readonly structured: unknown;
  readonly usage: RunOutput["usage"];
  readonly costUsd: number | null;
  readonly interruptions: readonly { readonly id: string; readonly kind: string; readonly toolName: string }[];
  readonly warnings: RunOutput["warnings"];
}

/** Selects the printed fields of a run's output. */
export function outputRow(output: RunOutput): OutputRow {
  const { runId, agentName, status, stopReason, text, structured, usage, costUsd, interruptions, warnings } = output;
  return {
    runId,
    agent: agentName,
    status,
    stopReason,
    text,
    structured: structured ?? null,
    usage,
    costUsd: costUsd ?? null,
    interruptions: interruptions.map(({ id, kind, toolName }) => ({ id, kind, toolName })),
    warnings,
  };
}
