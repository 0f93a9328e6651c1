import type { RunStatus, StopReason } from "../contracts/stop-reason.ts";

/** The status of a run that ends, or waits, for each reason. */
export const statusOf: { readonly [Reason in StopReason]: RunStatus } = {
  completed: "completed",
  stopped_by_tool: "completed",
  truncated: "stopped",
  stop_condition: "stopped",
  stopped_by_hook: "stopped",
  refused: "stopped",
  max_turns: "stopped",
  budget_exhausted: "stopped",
  timed_out: "stopped",
  loop_detected: "stopped",
  policy_denied: "stopped",
  unattended: "stopped",
  guardrail_blocked: "stopped",
  awaiting_approval: "suspended",
  awaiting_answer: "suspended",
  awaiting_client_tool: "suspended",
  awaiting_outcome: "suspended",
  sleeping: "sleeping",
  cancelled: "cancelled",
  context_overflow: "failed",
  failed: "failed",
};

/** True if `run()` and `stream().result` reject with an error that carries the output; otherwise they resolve to it. */
export function rejects(reason: StopReason): boolean {
  return statusOf[reason] === "failed" || reason === "guardrail_blocked";
}
