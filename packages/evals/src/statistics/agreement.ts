import { checkArgument } from "@bailiwick/core";
import { mean, variance } from "./moments.ts";
import { studentQuantile } from "./student.ts";

/** Agreement of a judge with people. */
export interface Agreement {
  /** Cohen's kappa, with squared weights: 1 is agreement, 0 is chance. */
  readonly kappa: number;
  /** Lower end of its interval. */
  readonly low: number;
  /** Upper end of its interval. */
  readonly high: number;
  /** Number of cases that both judged. */
  readonly cases: number;
}

/**
 * Cohen's kappa of pairs of scores. With squared weights it is the same as the unweighted one for yes and no.
 *
 * @param pairs - The scores of people and of the judge.
 * @returns `undefined` for fewer than two pairs.
 */
export function agreement(pairs: readonly (readonly [people: number, judge: number])[]): Agreement | undefined {
  checkArgument(pairs, "array", "agreement([[people, judge]])");
  if (pairs.length < 2) return undefined;
  const kappa = kappaOf(pairs);
  // The jackknife: each pair is left out once.
  const pseudo = pairs.map(
    (_, index) => pairs.length * kappa - (pairs.length - 1) * kappaOf(pairs.toSpliced(index, 1)),
  );
  const half = studentQuantile(pairs.length - 1) * Math.sqrt(variance(pseudo) / pairs.length);
  return { kappa, low: Math.max(-1, kappa - half), high: Math.min(1, kappa + half), cases: pairs.length };
}

function kappaOf(pairs: readonly (readonly [number, number])[]): number {
  const people = pairs.map(([one]) => one);
  const judge = pairs.map(([, one]) => one);
  const observed = mean(pairs.map(([a, b]) => (a - b) ** 2));
  // The mean squared difference of independent draws, from the moments of both.
  const spread = (values: readonly number[]): number => mean(values.map((one) => (one - mean(values)) ** 2));
  const expected = spread(people) + spread(judge) + (mean(people) - mean(judge)) ** 2;
  if (expected === 0) return observed === 0 ? 1 : 0;
  return 1 - observed / expected;
}
