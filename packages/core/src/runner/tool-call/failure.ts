import type { ToolFailure } from "../../contracts/tool-call-result.ts";
import type { RecoveryHint, ToolErrorKind } from "../../contracts/vocabularies.ts";

/** Retry and remedy by kind of failure. */
const recoveryByKind: Readonly<
  Record<ToolErrorKind, { readonly recoverable: boolean; readonly recoveryHint: RecoveryHint }>
> = {
  unknown_tool: { recoverable: true, recoveryHint: "try_alternative" },
  invalid_input: { recoverable: true, recoveryHint: "check_input" },
  invalid_output: { recoverable: false, recoveryHint: "report_to_user" },
  approval_denied: { recoverable: false, recoveryHint: "report_to_user" },
  approval_expired: { recoverable: false, recoveryHint: "report_to_user" },
  policy_denied: { recoverable: false, recoveryHint: "try_alternative" },
  sandbox_violation: { recoverable: false, recoveryHint: "try_alternative" },
  sandbox_unavailable: { recoverable: false, recoveryHint: "report_to_user" },
  timeout: { recoverable: true, recoveryHint: "retry_later" },
  aborted: { recoverable: false, recoveryHint: "report_to_user" },
  rate_limited: { recoverable: true, recoveryHint: "retry_later" },
  execution_failed: { recoverable: true, recoveryHint: "try_alternative" },
  unknown_outcome: { recoverable: false, recoveryHint: "report_to_user" },
  inbound_sanitization_blocked: { recoverable: false, recoveryHint: "try_alternative" },
  capability_blocked: { recoverable: false, recoveryHint: "report_to_user" },
};

/** Deviations from the table for one failure. */
export type FailureDetails = Partial<Omit<ToolFailure, "kind" | "message">>;

/**
 * A failure as data, with the recovery hint of its kind.
 *
 * @param message - The problem and its remedy, for the model and for people.
 */
export function failure(kind: ToolErrorKind, message: string, details?: FailureDetails): ToolFailure {
  const recovery = recoveryByKind[kind];
  return { kind, message, recoverable: recovery.recoverable, recoveryHint: recovery.recoveryHint, ...details };
}

/** The reason why arguments do not fit the tool. */
export interface ArgumentProblem {
  readonly message: string;
  readonly details: FailureDetails;
}
