import type { RecoveryHint, ToolErrorKind } from "../contracts/vocabularies.ts";
import { BailiwickError } from "./bailiwick-error.ts";

/** The kinds of failure that a tool may throw. */
export type ThrowableToolErrorKind = Extract<ToolErrorKind, "rate_limited" | "execution_failed" | "invalid_input">;

/** Details of a tool's failure. */
export interface ToolErrorOptions {
  /** Kind of the failure, which the model reads. Default `execution_failed`. */
  readonly kind?: ThrowableToolErrorKind | undefined;
  /** The error that the tool caught. Only logs and traces show it. */
  readonly cause?: unknown;
  /** True if another call may succeed. Default: by the kind of the failure. */
  readonly recoverable?: boolean | undefined;
  /** Advice for the model, which reads it with the message. */
  readonly recoveryHint?: RecoveryHint | undefined;
}

/**
 * A tool throws it to report how it failed. Any other thrown value becomes `execution_failed` with its message.
 *
 * @example
 * ```ts
 * import { ToolError } from "@bailiwick/core";
 *
 * export function tooFast(): never {
 *   throw new ToolError("The shop allows 5 look-ups a minute.", { kind: "rate_limited" });
 * }
 * ```
 */
export class ToolError extends BailiwickError {
  /** Kind of the failure, such as `execution_failed` or `timeout`. */
  readonly kind: ThrowableToolErrorKind;
  /** True if another call may succeed. */
  readonly recoverable: boolean | undefined;
  /** Advice for the model, which reads it. */
  readonly recoveryHint: RecoveryHint | undefined;

  /**
   * @param message - The failure, in words for the model, which reads them.
   * @param options - Kind of the failure, whether another call may succeed, advice for the model, and the `cause` for
   *   logs.
   */
  constructor(message: string, options: ToolErrorOptions = {}) {
    super("TOOL_ERROR", message, "cause" in options ? { cause: options.cause } : undefined);
    this.kind = options.kind ?? "execution_failed";
    this.recoverable = options.recoverable;
    this.recoveryHint = options.recoveryHint;
  }
}

/** Details of a call whose outcome is unknown. */
export interface OutcomeUnknownOptions {
  /** Error kind of the call if the tool changes nothing. Default `execution_failed`. */
  readonly kind?: "timeout" | "execution_failed" | undefined;
  /** The error that caused the loss of the answer. */
  readonly cause?: unknown;
}

/**
 * A tool throws it if it asked a person to do something and does not know the result: the answer was lost, or did not
 * arrive in time. The call of a writer becomes `unknown_outcome` and is not repeated; a call that changes nothing
 * fails.
 *
 * @example
 * ```ts
 * import { OutcomeUnknownError } from "@bailiwick/core";
 *
 * export function lost(): never {
 *   throw new OutcomeUnknownError("The connection broke before the bank answered.");
 * }
 * ```
 */
export class OutcomeUnknownError extends BailiwickError {
  /** Cause of the unknown outcome: the time limit passed, or the execution failed. */
  readonly kind: "timeout" | "execution_failed";

  /**
   * @param message - The reason why the result is not known.
   * @param options - Kind of the failure for a tool that changes nothing, and the `cause` for logs.
   */
  constructor(message: string, options: OutcomeUnknownOptions = {}) {
    super("OUTCOME_UNKNOWN", message, "cause" in options ? { cause: options.cause } : undefined);
    this.kind = options.kind ?? "execution_failed";
  }
}
