/** How a run ended. */
export type RunStatus = "completed" | "stopped" | "suspended" | "sleeping" | "cancelled" | "failed";

/** Why a run ended. */
export type StopReason =
  | "completed"
  | "stopped_by_tool"
  | "truncated"
  | "stop_condition"
  | "stopped_by_hook"
  | "refused"
  | "max_turns"
  | "budget_exhausted"
  | "timed_out"
  | "loop_detected"
  | "policy_denied"
  | "unattended"
  | "awaiting_approval"
  | "awaiting_answer"
  | "awaiting_client_tool"
  | "awaiting_outcome"
  | "sleeping"
  | "guardrail_blocked"
  | "cancelled"
  | "context_overflow"
  | "failed";

/** Says whether a run of this status waits for a person or for a time. */
export const isWaiting = (status: RunStatus | undefined): boolean => status === "suspended" || status === "sleeping";
