import { checkArgument } from "@bailiwick/core";
import { mean, variance } from "./moments.ts";
import { seeded } from "./random.ts";

/** Fewer pairs are not compared. */
const fewestPairs = 10;
/** Drawn permutations of one comparison. */
const draws = 10_000;
/** Chance of a false alarm in a whole evaluation. */
const alarm = 0.05;
/** Spreads of the mean difference that a change must have to be found in 80 of 100 evaluations. */
const visible = 3.3;

/** Two candidates, compared case by case. */
export interface Comparison {
  /**
   * `better` or `worse` than the baseline; `no difference shown` does not prove that they are equal, and `too few cases` means
   * that fewer than ten cases have scores of both.
   */
  readonly verdict: "better" | "worse" | "no difference shown" | "too few cases";
  /** Mean of the differences, from -1 to 1. */
  readonly difference: number;
  /** Smallest change that would have been found in 80 of 100 evaluations. */
  readonly wouldHaveSeen: number;
  /** Chance of such a difference between equal candidates, after the correction for the number of comparisons. */
  readonly p: number;
  /** Number of cases that have scores of both. */
  readonly cases: number;
}

/**
 * Compares pairs of means, and corrects for the number of comparisons (Holm): without it, ten comparisons of equal
 * candidates would raise a false alarm in 38 of 100 evaluations.
 *
 * @param comparisons - For each comparison the means of its cases, the baseline's first.
 * @param seed - Seed of the permutations.
 */
export function compare(
  comparisons: readonly (readonly (readonly [before: number, now: number])[])[],
  seed: number = 1,
): readonly Comparison[] {
  checkArgument(comparisons, "array", "compare([[[before, now]]])");
  const found = comparisons.map((pairs) => {
    const differences = pairs.map(([before, now]) => now - before);
    return { differences, isJudged: pairs.length >= fewestPairs, p: permutationChance(differences, seed) };
  });
  const corrected = holm(found.map(({ p, isJudged }) => (isJudged ? p : undefined)));
  return found.map(({ differences, isJudged }, index): Comparison => {
    const difference = differences.length === 0 ? 0 : mean(differences);
    const p = corrected[index] ?? 1;
    const shown = p >= alarm ? "no difference shown" : difference > 0 ? "better" : "worse";
    return {
      verdict: isJudged ? shown : "too few cases",
      difference,
      wouldHaveSeen: differences.length === 0 ? 1 : visible * Math.sqrt(variance(differences) / differences.length),
      p,
      cases: differences.length,
    };
  });
}

/** Chance that equal candidates differ as much, by drawn signs of the differences. */
function permutationChance(differences: readonly number[], seed: number): number {
  const changed = differences.filter((one) => one !== 0);
  if (changed.length === 0) return 1;
  const random = seeded(seed);
  const observed = Math.abs(changed.reduce((sum, one) => sum + one, 0)) - 1e-9;
  let hits = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    let sum = 0;
    for (const one of changed) sum += random() < 0.5 ? one : -one;
    if (Math.abs(sum) >= observed) hits += 1;
  }
  return (hits + 1) / (draws + 1);
}

/** Chances corrected for their number; `undefined` for a comparison that is not judged and does not count. */
function holm(chances: readonly (number | undefined)[]): readonly (number | undefined)[] {
  const order = chances.flatMap((p, index) => (p === undefined ? [] : [{ p, index }])).toSorted((a, b) => a.p - b.p);
  const corrected: (number | undefined)[] = chances.map(() => undefined);
  let highest = 0;
  for (const [rank, { p, index }] of order.entries()) {
    highest = Math.max(highest, Math.min(1, p * (order.length - rank)));
    corrected[index] = highest;
  }
  return corrected;
}
