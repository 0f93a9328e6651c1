import type { EvaluationResult } from "../result.ts";
import { checkResult } from "../check-result.ts";
import { comparisonText, lastLine } from "./terminal.ts";

/** Cases in one comment. */
const mostCases = 50;

/**
 * The result as the comment of a pull request: verdict, scorers with intervals, comparisons, and the cases that fail.
 *
 * @param result - From `evaluate()`.
 */
export function markdownReport(result: EvaluationResult): string {
  checkResult(result, "markdownReport(await evaluate(evaluation))");
  const { name, verdict, reasons, warnings, scores, comparisons, cases } = result;
  const wrong = cases
    .flatMap((one) => one.rows)
    .filter(({ state, value = 1 }) => state === "notScored" || state === "notRun" || (state === "scored" && value < 1));
  const title = { passed: "passed", failed: "failed", undecided: "could not be judged" }[verdict];
  return [
    `### ${cell(name)}: ${title}`,
    "",
    ...[...reasons, ...warnings.map((one) => `Warning: ${one}.`)].map((one) => `- ${cell(one)}`),
    ...(reasons.length + warnings.length > 0 ? [""] : []),
    "| candidate | scorer | mean | 95 % interval | scored | not applicable | not scored | not run |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ...scores.map((one) => {
      const { estimate } = one;
      const figures =
        estimate === undefined
          ? ["–", "–"]
          : [estimate.mean.toFixed(2), `${estimate.low.toFixed(2)} to ${estimate.high.toFixed(2)}`];
      return `| ${[cell(one.candidate), cell(one.scorer), ...figures, one.scored, one.notApplicable, one.notScored, one.notRun].join(" | ")} |`;
    }),
    "",
    ...comparisons.map((one) => `- ${cell(`${one.scorer} of ${one.candidate}: ${comparisonText(one)}`)}`),
    ...(comparisons.length > 0 ? [""] : []),
    ...(wrong.length === 0
      ? []
      : [
          "| case | scorer | score | reason |",
          "| --- | --- | --- | --- |",
          ...wrong
            .slice(0, mostCases)
            .map(
              ({ case: one, scorer, state, value, reason = "" }) =>
                `| ${[one, scorer, state === "scored" ? (value ?? 0).toFixed(2) : state === "notRun" ? "not run" : "not scored", reason].map(cell).join(" | ")} |`,
            ),
          ...(wrong.length > mostCases ? [`| … and ${wrong.length - mostCases} more |  |  |  |`] : []),
          "",
        ]),
    cell(lastLine(result)),
    "",
  ].join("\n");
}

/** Text in a table: no line break, no bar, no element, no mention and no link. */
function cell(text: string): string {
  return text.replaceAll(/\s+/gu, " ").replaceAll(/[\\`*_[\]<>|@#!]/gu, (mark) => `&#${mark.codePointAt(0)};`);
}
