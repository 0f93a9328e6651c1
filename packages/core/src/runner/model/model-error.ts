import { BailiwickError } from "../../errors/bailiwick-error.ts";
import type { ContextOverflowError, ModelError } from "../../errors/model-errors.ts";

/** True if a thrown value is a model's error, from any copy of the package. */
export function isModelError(value: unknown): value is ModelError {
  return BailiwickError.isInstance(value) && "retryable" in value && "mayHaveRun" in value;
}

/** True if a vendor refused a request because it does not fit the context window. */
export function isOverflow(error: Error): error is ContextOverflowError {
  return isModelError(error) && error.code === "CONTEXT_OVERFLOW";
}

/** True if a request does not fit the model: the vendor refused it, or it was never sent. */
export function isTooLong(error: Error): boolean {
  return BailiwickError.isInstance(error) && (error.code === "CONTEXT_OVERFLOW" || error.code === "INPUT_TOO_LONG");
}
