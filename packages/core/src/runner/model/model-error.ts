import { BailiwickError } from "../../errors/bailiwick-error.ts";
import type { ModelError } from "../../errors/model-errors.ts";

/** True if a thrown value is a model's error, from any copy of the package. */
export function isModelError(value: unknown): value is ModelError {
  return BailiwickError.isInstance(value) && "retryable" in value && "mayHaveRun" in value;
}
