import type { EvaluationResult } from "../result.ts";

/**
 * The result as JSON, with every score.
 *
 * @param result - From `evaluate()`.
 */
export function jsonReport(result: EvaluationResult): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}
