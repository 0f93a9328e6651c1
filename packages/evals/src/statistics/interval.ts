import { checkArgument } from "@bailiwick/core";
import { mean, variance } from "./moments.ts";
import { normalQuantile, studentQuantile } from "./student.ts";

/** A mean with the interval that covers the true value in 95 % of evaluations. */
export interface Estimate {
  /** Mean over the cases, each case with the mean of its repeats. */
  readonly mean: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
}

/**
 * Estimates the mean of scores. Repeats of a case are not independent, so the interval counts cases: for yes and no,
 * Wilson's interval with the design effect of the repeats; for other numbers, Student's t over the means of the cases.
 *
 * @param cases - The scores of the repeats, by case; no case is empty.
 * @returns `undefined` without a case.
 */
export function estimate(cases: readonly (readonly number[])[]): Estimate | undefined {
  checkArgument(cases, "array", "estimate([[1, 0, 1]])");
  if (cases.length === 0) return undefined;
  const means = cases.map(mean);
  const isRate = cases.every((scores) => scores.every((score) => score === 0 || score === 1));
  return isRate
    ? rate(
        means,
        cases.reduce((sum, scores) => sum + scores.length, 0),
      )
    : number(means);
}

function rate(means: readonly number[], tries: number): Estimate {
  const p = mean(means);
  const between = variance(means) / means.length;
  const alone = (p * (1 - p)) / tries;
  const n = tries / (alone === 0 ? 1 : Math.max(1, between / alone));
  const z2 = normalQuantile ** 2;
  const middle = (p + z2 / (2 * n)) / (1 + z2 / n);
  const half = (normalQuantile * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n ** 2))) / (1 + z2 / n);
  return { mean: p, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

function number(means: readonly number[]): Estimate {
  const middle = mean(means);
  if (means.length < 2) return { mean: middle, low: 0, high: 1 };
  const half = studentQuantile(means.length - 1) * Math.sqrt(variance(means) / means.length);
  return { mean: middle, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
