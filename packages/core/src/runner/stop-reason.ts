import type { RunStatus, StopReason } from "../contracts/stop-reason.ts";

/** Meaning of a stop reason for the caller. */
export interface StopRow {
  readonly status: RunStatus;
  /** True if `run()` and `stream().result` resolve to the output or reject with an error that carries it. */
  readonly settles: "resolves" | "rejects";
}

/** Every stop reason with its status, and how a run that ends with it settles. */
export const stopTable: { readonly [Reason in StopReason]: StopRow } = {
  completed: { status: "completed", settles: "resolves" },
  stopped_by_tool: { status: "completed", settles: "resolves" },
  truncated: { status: "stopped", settles: "resolves" },
  stop_condition: { status: "stopped", settles: "resolves" },
  stopped_by_hook: { status: "stopped", settles: "resolves" },
  refused: { status: "stopped", settles: "resolves" },
  max_turns: { status: "stopped", settles: "resolves" },
  budget_exhausted: { status: "stopped", settles: "resolves" },
  timed_out: { status: "stopped", settles: "resolves" },
  loop_detected: { status: "stopped", settles: "resolves" },
  policy_denied: { status: "stopped", settles: "resolves" },
  unattended: { status: "stopped", settles: "resolves" },
  awaiting_approval: { status: "suspended", settles: "resolves" },
  awaiting_answer: { status: "suspended", settles: "resolves" },
  awaiting_client_tool: { status: "suspended", settles: "resolves" },
  awaiting_outcome: { status: "suspended", settles: "resolves" },
  sleeping: { status: "sleeping", settles: "resolves" },
  guardrail_blocked: { status: "stopped", settles: "rejects" },
  cancelled: { status: "cancelled", settles: "resolves" },
  context_overflow: { status: "failed", settles: "rejects" },
  failed: { status: "failed", settles: "rejects" },
};
