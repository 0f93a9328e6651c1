import type { Evaluation } from "./evaluation.ts";
import type { ScorerSummary } from "./result.ts";
import type { Scorer } from "./score.ts";
import { isJudge } from "./scorers/judge.ts";

/** Judges below it agree with people too little to decide. */
const leastKappa = 0.6;

/** Warnings about judges that decide about the verdict. */
export function warningsOf(
  { must = [], thresholds = {} }: Evaluation,
  scorers: readonly Scorer[],
  scores: readonly ScorerSummary[],
): readonly string[] {
  return scorers.flatMap((scorer) => {
    const decides = must.includes(scorer) || Object.hasOwn(thresholds, scorer.name);
    if (!decides || !isJudge(scorer)) return [];
    const agreed = scores.find((one) => one.scorer === scorer.name)?.agreement;
    if (agreed === undefined) return [`${scorer.name} decides without calibration: give it cases that people judged`];
    if (agreed.kappa >= leastKappa) return [];
    return [
      `${scorer.name} agrees too little with people: kappa ${agreed.kappa.toFixed(2)} [${agreed.low.toFixed(2)}, ${agreed.high.toFixed(2)}], and ${leastKappa} is needed`,
    ];
  });
}
