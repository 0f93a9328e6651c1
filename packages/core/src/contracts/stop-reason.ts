/** How a run ended. */
export type RunStatus = "completed" | "stopped" | "suspended" | "cancelled" | "error";

/** Why a run ended. */
export type StopReason =
  | "completed"
  | "stopped_by_tool"
  | "stop_condition"
  | "stopped_by_hook"
  | "refused"
  | "max_turns"
  | "budget_exhausted"
  | "loop_detected"
  | "policy_denied"
  | "awaiting_approval"
  | "awaiting_input"
  | "awaiting_resolution"
  | "sleeping"
  | "guardrail_blocked"
  | "aborted"
  | "context_overflow"
  | "failed";
