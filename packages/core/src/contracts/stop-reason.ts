/** Reason for the end of a run. */
export type EndedStatus = "completed" | "stopped" | "cancelled" | "failed";

/** Reason for the end or the pause of a run. */
export type RunStatus = EndedStatus | "suspended" | "sleeping";

/**
 * True for the status or state of a run that ended. A failed run can still be resumed.
 *
 * @param state - `status` of an output, or `state` of a stored run.
 * @example
 * ```ts
 * import { isEnded, type StoredRun } from "@bailiwick/core";
 *
 * export const open = (runs: readonly StoredRun[]): readonly StoredRun[] => runs.filter(({ state }) => !isEnded(state));
 * ```
 */
export function isEnded(state: string | undefined): state is EndedStatus {
  return state === "completed" || state === "stopped" || state === "cancelled" || state === "failed";
}

/** The reason why a run ended. */
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

/**
 * True for a run that waits for a person or for a time.
 *
 * @param status - Status of a run's output.
 */
export const isWaiting = (status: RunStatus | undefined): status is "suspended" | "sleeping" =>
  status === "suspended" || status === "sleeping";
