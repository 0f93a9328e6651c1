import type { ToolFailure } from "../../contracts/tool-call-result.ts";
import type { RecoveryHint, ToolErrorKind } from "../../contracts/vocabularies.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import { errorText } from "../../errors/error-text.ts";
import type { OutcomeUnknownError, ToolError } from "../../errors/tool-error.ts";

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

/** Errors of the framework's own parts that are more specific than "it failed". */
const kindsByCode: Readonly<Record<string, ToolErrorKind>> = {
  SANDBOX_VIOLATION: "sandbox_violation",
  SANDBOX_UNAVAILABLE: "sandbox_unavailable",
  SANDBOX_SPAWN_FAILED: "sandbox_unavailable",
  SANDBOX_MODULE_REFUSED: "sandbox_unavailable",
  SANDBOX_MODULE_CHANGED: "sandbox_unavailable",
  SANDBOX_MEMORY_EXCEEDED: "sandbox_violation",
  SANDBOX_OUTPUT_EXCEEDED: "sandbox_violation",
  SANDBOX_TIMEOUT: "timeout",
  CAPABILITY_BLOCKED: "capability_blocked",
  SECRET_ACCESS_DENIED: "policy_denied",
  MEMORY_GUARD_DENIED: "policy_denied",
};

/** The error of a call from a thrown value: anything may be thrown, `undefined` included. */
export function failureOfThrown(toolName: string, thrown: unknown): ToolFailure {
  if (isToolError(thrown)) {
    return failure(thrown.kind, `"${toolName}" failed: ${errorText(thrown)}`, {
      fromTool: true,
      code: thrown.code,
      ...(thrown.recoverable !== undefined && { recoverable: thrown.recoverable }),
      ...(thrown.recoveryHint !== undefined && { recoveryHint: thrown.recoveryHint }),
    });
  }
  const message = `"${toolName}" failed: ${describe(thrown)}`;
  if (!BailiwickError.isInstance(thrown)) return failure("execution_failed", message, { fromTool: true });
  return failure(kindsByCode[thrown.code] ?? "execution_failed", message, { fromTool: true, code: thrown.code });
}

/** Errors of sandboxes that were ended while their code ran: its effects are unknown. */
const endedByCode: ReadonlySet<string> = new Set([
  "SANDBOX_MEMORY_EXCEEDED",
  "SANDBOX_OUTPUT_EXCEEDED",
  "SANDBOX_ENDED",
]);

/** True if the outcome of the tool is unknown after a failure. */
export function endedInMidCall({ code }: ToolFailure): boolean {
  return code !== undefined && endedByCode.has(code);
}

export function isToolError(thrown: unknown): thrown is ToolError {
  return BailiwickError.isInstance(thrown) && thrown.code === "TOOL_ERROR";
}

/** True if a tool reports that the outcome of its call is unknown. */
export function isOutcomeUnknown(thrown: unknown): thrown is OutcomeUnknownError {
  return BailiwickError.isInstance(thrown) && thrown.code === "OUTCOME_UNKNOWN";
}

function describe(thrown: unknown): string {
  if (thrown instanceof Error) return errorText(thrown);
  if (typeof thrown === "string") return thrown;
  if (thrown === undefined || thrown === null) return `it threw ${String(thrown)}`;
  const { message } = thrown as { readonly message?: unknown };
  if (typeof message === "string") return message;
  try {
    return JSON.stringify(thrown) ?? `it threw a ${typeof thrown}`;
  } catch {
    return `it threw a ${typeof thrown} that cannot be written as text`;
  }
}
