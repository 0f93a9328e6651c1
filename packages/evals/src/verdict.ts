import type { Baseline } from "./baseline.ts";
import type { Evaluation } from "./evaluation.ts";
import type { NamedComparison, ScorerSummary, Verdict } from "./result.ts";
import type { ScoreRow } from "./score.ts";
import { compare } from "./statistics/compare.ts";
import { meansByCase } from "./summary.ts";

/** Everything that the conditions of an evaluation read. */
export interface Judged {
  readonly evaluation: Evaluation;
  /** Names of the candidates, the baseline first. */
  readonly candidates: readonly string[];
  readonly rows: readonly ScoreRow[];
  readonly scores: readonly ScorerSummary[];
  readonly baseline: Baseline | undefined;
}

/** Result of a condition that does not hold. */
interface Finding {
  readonly verdict: "failed" | "undecided";
  readonly reason: string;
}

/** Judges all conditions; a failure wins over a condition that could not be judged. */
export function verdictOf(judged: Judged): {
  readonly verdict: Verdict;
  readonly reasons: readonly string[];
  readonly comparisons: readonly NamedComparison[];
} {
  const comparisons = comparisonsOf(judged);
  const findings = [...mustFindings(judged), ...thresholdFindings(judged), ...regressionFindings(judged, comparisons)];
  const verdict = findings.some((one) => one.verdict === "failed")
    ? "failed"
    : findings.length > 0
      ? "undecided"
      : "passed";
  return {
    verdict,
    reasons: findings.toSorted((a, b) => a.verdict.localeCompare(b.verdict)).map(({ reason }) => reason),
    comparisons,
  };
}

function mustFindings({ scores, candidates }: Judged): readonly Finding[] {
  return scores
    .filter(({ must }) => must)
    .flatMap((one): readonly Finding[] => {
      const who = nameOf(one, candidates);
      const found: Finding[] = [];
      if (one.perfect < one.scored)
        found.push({
          verdict: "failed",
          reason: `${who} must be 1 in every run: ${one.scored - one.perfect} of ${one.scored} are less.`,
        });
      if (one.notScored + one.notRun > 0) found.push(undecided(one, who));
      return found;
    });
}

function thresholdFindings({ evaluation: { thresholds = {} }, scores, candidates }: Judged): readonly Finding[] {
  return Object.entries(thresholds).flatMap(([scorer, threshold]): readonly Finding[] => {
    if (typeof threshold !== "object") return [];
    const { atLeast, interval } = threshold;
    return scores
      .filter((one) => one.scorer === scorer)
      .flatMap((one): readonly Finding[] => {
        const who = nameOf(one, candidates);
        const found: Finding[] = [];
        const value = interval === true ? one.estimate?.low : one.estimate?.mean;
        if (value !== undefined && value < atLeast)
          found.push({
            verdict: "failed",
            reason: `${who} is ${value.toFixed(2)}${interval === true ? " at the lower end" : ""}, and at least ${atLeast} is needed.`,
          });
        if (one.notScored + one.notRun > 0 || value === undefined) found.push(undecided(one, who));
        return found;
      });
  });
}

function undecided({ notScored, notRun, runs }: ScorerSummary, who: string): Finding {
  const parts = [
    ...(notScored > 0 ? [`${notScored} of ${runs} runs could not be scored`] : []),
    ...(notRun > 0 ? [`${notRun} of ${runs} did not take place`] : []),
  ];
  return {
    verdict: "undecided",
    reason: `${who} could not be judged: ${parts.length === 0 ? "no run has a score" : parts.join(", ")}.`,
  };
}

/** Scorers whose comparisons count: those of `must` and of `thresholds`. */
function countedScorers({ must = [], thresholds = {} }: Evaluation): readonly string[] {
  return [
    ...new Set([...must.map(({ name }) => name), ...Object.keys(thresholds).filter((name) => name !== "regression")]),
  ];
}

function comparisonsOf({ evaluation, candidates, rows, baseline }: Judged): readonly NamedComparison[] {
  const [first = "", ...others] = candidates;
  const of = (candidate: string, scorer: string): ReadonlyMap<string, number> =>
    meansByCase(rows.filter((row) => row.candidate === candidate && row.scorer === scorer));
  const compared = countedScorers(evaluation).flatMap((scorer) => {
    const pairs = (
      before: ReadonlyMap<string, number>,
      candidate: string,
      name: string,
    ): { scorer: string; candidate: string; baseline: string; pairs: (readonly [number, number])[] } => {
      const now = of(candidate, scorer);
      return {
        scorer,
        candidate,
        baseline: name,
        pairs: [...before].flatMap(([one, value]) => (now.has(one) ? [[value, now.get(one) as number] as const] : [])),
      };
    };
    if (baseline !== undefined)
      return candidates.map((candidate) =>
        pairs(new Map(Object.entries(baseline.scores[scorer] ?? {})), candidate, "baseline"),
      );
    return others.map((candidate) => pairs(of(first, scorer), candidate, first));
  });
  const results = compare(compared.map((one) => one.pairs));
  return compared.flatMap(({ pairs: _pairs, ...names }, index) => {
    const result = results[index];
    return result === undefined ? [] : [{ ...names, ...result }];
  });
}

function regressionFindings(
  { evaluation, candidates, rows, baseline }: Judged,
  comparisons: readonly NamedComparison[],
): readonly Finding[] {
  if (evaluation.thresholds?.regression !== true) return [];
  const [first = "", ...others] = candidates;
  if (baseline === undefined && others.length === 0)
    return [
      {
        verdict: "undecided",
        reason:
          "The regression could not be judged: there is no baseline. Give a second candidate, or --baseline <file>.",
      },
    ];
  const found: Finding[] = comparisons
    .filter(({ verdict }) => verdict === "worse")
    .map((one) => ({
      verdict: "failed",
      reason: `${one.scorer} of ${one.candidate} is worse than ${one.baseline} by ${points(-one.difference)} (p ${one.p.toFixed(3)}).`,
    }));
  const mustNames = (evaluation.must ?? []).map(({ name }) => name);
  for (const scorer of countedScorers(evaluation))
    for (const candidate of baseline === undefined ? others : candidates) {
      const own = rows.filter((row) => row.scorer === scorer);
      const before =
        baseline === undefined
          ? meansByCase(own.filter((row) => row.candidate === first))
          : new Map(Object.entries(baseline.scores[scorer] ?? {}));
      const now = own.filter((row) => row.candidate === candidate);
      const means = meansByCase(now);
      const fallen = [...before].filter(([one, value]) => value === 1 && (means.get(one) ?? 1) < 1).map(([one]) => one);
      if (mustNames.includes(scorer) && fallen.length > 0)
        found.push({
          verdict: "failed",
          reason: `${scorer} of ${candidate} fails in cases that always passed in the baseline: ${fallen.join(", ")}.`,
        });
      const applicable = new Set(now.filter(({ state }) => state !== "notApplicable").map((row) => row.case));
      const others =
        [...before.keys()].some((one) => !applicable.has(one)) || [...applicable].some((one) => !before.has(one));
      if (baseline !== undefined && others)
        found.push({
          verdict: "undecided",
          reason: `The regression of ${scorer} could not be judged: the baseline has other cases. Write it again with --save-baseline.`,
        });
    }
  return found;
}

/** A difference in points of hundred. */
export function points(difference: number): string {
  const rounded = Math.round(difference * 100);
  return `${rounded} point${Math.abs(rounded) === 1 ? "" : "s"}`;
}

function nameOf({ scorer, candidate }: ScorerSummary, candidates: readonly string[]): string {
  return candidates.length > 1 ? `${scorer} of ${candidate}` : scorer;
}
