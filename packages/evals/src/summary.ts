import { grouped } from "./grouped.ts";
import type { CaseResult, ScorerSummary } from "./result.ts";
import type { ScoreRow } from "./score.ts";
import type { Agreement } from "./statistics/agreement.ts";
import { estimate } from "./statistics/interval.ts";
import { mean } from "./statistics/moments.ts";

/** Scores of the repeats of each case that has all of its scores, by case. */
function scoresByCase(rows: readonly ScoreRow[]): ReadonlyMap<string, readonly number[]> {
  const byCase = grouped(rows, (row) => row.case);
  const scores = new Map<string, readonly number[]>();
  for (const [one, its] of byCase) {
    if (its.some(({ state }) => state === "notScored" || state === "notRun")) continue;
    const values = its.flatMap(({ value }) => (value === undefined ? [] : [value]));
    if (values.length > 0) scores.set(one, values);
  }
  return scores;
}

/** Means of the cases that have all of their scores. */
export function meansByCase(rows: readonly ScoreRow[]): ReadonlyMap<string, number> {
  return new Map([...scoresByCase(rows)].map(([one, scores]) => [one, mean(scores)]));
}

/** Sums up the scores of one scorer for one candidate. */
export function summaryOf(
  rows: readonly ScoreRow[],
  {
    scorer,
    candidate,
    must,
    agreement,
  }: {
    readonly scorer: string;
    readonly candidate: string;
    readonly must: boolean;
    readonly agreement: Agreement | undefined;
  },
): ScorerSummary {
  const scores = scoresByCase(rows);
  const count = (state: ScoreRow["state"]): number => rows.filter((row) => row.state === state).length;
  const amounts = rows.flatMap(({ measured }) => (measured === undefined ? [] : [measured]));
  const costs = rows.flatMap(({ costUsd }) => (costUsd === undefined ? [] : [costUsd]));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const [first] = amounts;
  const missing = new Set(
    rows.filter(({ state }) => state === "notScored" || state === "notRun").map((row) => row.case),
  );
  return {
    scorer,
    candidate,
    must,
    runs: rows.length,
    scored: count("scored"),
    perfect: rows.filter(({ value }) => value === 1).length,
    notApplicable: count("notApplicable"),
    notScored: count("notScored"),
    notRun: count("notRun"),
    casesLeftOut: missing.size,
    estimate: estimate([...scores.values()]),
    measured: first && { sum: sum(amounts.map(({ amount }) => amount)), unit: first.unit },
    costUsd: costs.length === 0 ? undefined : sum(costs),
    agreement,
  };
}

/** Sums up the repeats of a case with a candidate. */
export function caseResultOf(rows: readonly ScoreRow[]): CaseResult {
  const [first] = rows as readonly [ScoreRow, ...ScoreRow[]];
  const repeats = [...grouped(rows, ({ repeat }) => String(repeat)).values()];
  const judged = repeats.filter(
    (its) =>
      its.every(({ state }) => state === "scored" || state === "notApplicable") &&
      its.some(({ state }) => state === "scored"),
  );
  const passed = judged.filter((its) => its.every(({ value = 1 }) => value === 1));
  return {
    case: first.case,
    candidate: first.candidate,
    rows,
    passed: passed.length,
    judged: judged.length,
    flaky: passed.length > 0 && passed.length < judged.length,
  };
}
