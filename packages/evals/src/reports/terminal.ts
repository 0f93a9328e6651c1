import type { EvaluationResult, NamedComparison, ScorerSummary } from "../result.ts";
import { points } from "../verdict.ts";

/** Lines about single cases in one report. */
const mostLines = 200;

/** The report for a terminal: a line for each score that is not perfect, and a last line with the verdict. */
export function terminalReport(result: Omit<EvaluationResult, "text">): string {
  const several = new Set(result.scores.map(({ candidate }) => candidate)).size > 1;
  const rows = result.cases
    .flatMap((one) => one.rows)
    .filter(({ state, value = 1 }) => state === "notScored" || state === "notRun" || (state === "scored" && value < 1));
  const lines = rows.slice(0, mostLines).map((row) => {
    const place = [several ? `${row.candidate} · ` : "", row.case, row.repeat > 1 ? ` (${row.repeat})` : ""].join("");
    const what =
      row.state === "scored" ? shownScore(row.value ?? 0) : row.state === "notRun" ? "not run" : "not scored";
    return `${place}  ${row.scorer} ${what}${row.reason === undefined ? "" : `: ${row.reason}`}${row.runId === undefined ? "" : `  [${row.runId}]`}`;
  });
  if (rows.length > mostLines) lines.push(`… and ${rows.length - mostLines} more`);
  return [
    ...lines,
    ...result.comparisons.map((one) => `${one.scorer} of ${one.candidate}: ${comparisonText(one)}`),
    ...result.reasons,
    ...result.warnings.map((one) => `Warning: ${one}.`),
    lastLine(result),
  ].join("\n");
}

/** A comparison in words. */
export function comparisonText({ verdict, baseline, difference, wouldHaveSeen, p }: NamedComparison): string {
  if (verdict === "too few cases") return `too few cases to compare with ${baseline}`;
  if (verdict === "no difference shown")
    return `no difference to ${baseline} shown (would have seen ${points(wouldHaveSeen)})`;
  return `${verdict} than ${baseline} by ${points(Math.abs(difference))} (p ${p.toFixed(3)})`;
}

const words = { passed: "passed", failed: "failed", undecided: "could not judge" } as const;

/** The verdict with its figures in one line. */
export function lastLine({ verdict, scores, cases, runs, costUsd, warnings }: Omit<EvaluationResult, "text">): string {
  const several = new Set(scores.map(({ candidate }) => candidate)).size > 1;
  const flaky = cases
    .filter((one) => one.flaky)
    .slice(0, 5)
    .map((one) => `"${one.case}" ${one.passed}/${one.judged}`);
  const hasCost = scores.some(({ measured }) => measured?.unit === "USD");
  const judges = scores.reduce((sum, { costUsd: judge }) => sum + (judge ?? 0), 0);
  const parts = [
    ...scores.map((one) => `${several ? `${one.candidate} ` : ""}${scoreText(one)}`),
    ...(!hasCost && costUsd !== undefined && costUsd > 0 ? [`cost ${dollars(costUsd)}`] : []),
    ...(judges > 0 ? [`judges ${dollars(judges)}`] : []),
    `${runs.fromStore} of ${runs.total} runs taken from the store`,
    ...(runs.notRun > 0 ? [`${runs.notRun} not run`] : []),
    ...(flaky.length > 0 ? [`flaky: ${flaky.join(", ")}`] : []),
    ...(warnings.length > 0
      ? [`${warnings.length} warning${warnings.length === 1 ? "" : "s"}: ${warnings.join("; ")}`]
      : []),
  ];
  return `${words[verdict]}  ${parts.join(" · ")}`;
}

/** A scorer with its figure. */
function scoreText({
  scorer,
  must,
  perfect,
  scored,
  estimate,
  measured,
  notScored,
  notRun,
  agreement,
}: ScorerSummary): string {
  const missing = notScored + notRun > 0 ? ` (${notScored + notRun} without a score)` : "";
  const kappa = agreement === undefined ? "" : ` (kappa ${agreement.kappa.toFixed(2)})`;
  if (measured?.unit === "USD")
    return `${scorer} ${dollars(measured.sum)}${perfect < scored ? ` (${scored - perfect} above the limit)` : ""}${missing}`;
  if (must) return `${scorer} ${perfect}/${scored}${missing}${kappa}`;
  if (estimate === undefined) return `${scorer} –${missing}`;
  return `${scorer} ${shownScore(estimate.mean)} [${shownScore(estimate.low)}, ${shownScore(estimate.high)}]${missing}${kappa}`;
}

function shownScore(value: number): string {
  return value.toFixed(2);
}

function dollars(amount: number): string {
  return amount > 0 && amount < 0.01 ? `$${amount.toPrecision(2)}` : `$${amount.toFixed(2)}`;
}
