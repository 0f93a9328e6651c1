import { EvaluationError } from "./evaluation-error.ts";
import { checkResult } from "./check-result.ts";
import type { EvaluationResult } from "./result.ts";
import { meansByCase } from "./summary.ts";

/** Scores by case, as `--save-baseline` writes them. */
export interface Baseline {
  /** Version of the format. */
  readonly bailiwickBaseline: 1;
  /** Name of the evaluation. */
  readonly evaluation: string;
  /** Mean of each case, by scorer. */
  readonly scores: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/**
 * The scores of the first candidate, to compare later evaluations with.
 *
 * @param result - The evaluation.
 */
export function baselineOf(result: EvaluationResult): Baseline {
  checkResult(result, "baselineOf(await evaluate(evaluation))");
  const { name, cases, scores } = result;
  const first = cases[0]?.candidate;
  const rows = cases.filter(({ candidate }) => candidate === first).flatMap((one) => one.rows);
  const scorers = [...new Set(scores.map(({ scorer }) => scorer))];
  return {
    bailiwickBaseline: 1,
    evaluation: name,
    scores: Object.fromEntries(
      scorers.map((scorer) => [scorer, Object.fromEntries(meansByCase(rows.filter((row) => row.scorer === scorer)))]),
    ),
  };
}

/**
 * Checks scores from a file.
 *
 * @param given - The content of the file.
 * @param evaluation - Name of the evaluation.
 * @param where - Name of the file, for the message.
 * @throws EvaluationError `BASELINE_INVALID`
 */
export function checkBaseline(given: unknown, evaluation: string, where: string): Baseline {
  const fail = (why: string): never => {
    throw new EvaluationError(
      "BASELINE_INVALID",
      `The baseline ${where} ${why}. Write one with: npx bailiwick eval --save-baseline.`,
    );
  };
  const { bailiwickBaseline, evaluation: name, scores } = Object(given) as Readonly<Record<string, unknown>>;
  const isNumbers = (value: unknown): boolean =>
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((one) => typeof one === "number" && one >= 0 && one <= 1);
  if (
    bailiwickBaseline !== 1 ||
    typeof scores !== "object" ||
    scores === null ||
    !Object.values(scores).every(isNumbers)
  )
    return fail("has no scores in format 1");
  if (name !== evaluation) return fail(`has the scores of the evaluation "${String(name)}", not of "${evaluation}"`);
  return given as Baseline;
}
