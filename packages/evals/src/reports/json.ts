import { checkResult } from "../check-result.ts";
import type { EvaluationResult } from "../result.ts";

/**
 * The result as JSON, with every score.
 *
 * @param result - From `evaluate()`.
 */
export function jsonReport(result: EvaluationResult): string {
  checkResult(result, "jsonReport(await evaluate(evaluation))");
  return `${JSON.stringify(result, null, 2)}\n`;
}
