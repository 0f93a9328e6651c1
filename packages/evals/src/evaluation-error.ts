import { ConfigurationError } from "@bailiwick/core";

/** Codes of {@link EvaluationError}. */
export type EvaluationErrorCode =
  | "EVAL_EMPTY"
  | "EVAL_FAKE_MISSING"
  | "EVAL_HOSTED_TOOL"
  | "EVAL_STORE_FIXED"
  | "CASE_INVALID"
  | "CASE_TWICE"
  | "CASE_SEALED"
  | "BASELINE_INVALID"
  | "REHEARSAL_EMPTY"
  | "INVALID_OPTION";

/** An evaluation or a rehearsal cannot begin. No model was called. */
export class EvaluationError extends ConfigurationError {
  /**
   * @param code - The problem.
   * @param message - What happened, where, and what to do.
   */
  constructor(code: EvaluationErrorCode, message: string) {
    super(code, message);
  }
}
