import { checkArgument } from "@bailiwick/core";
/**
 * Chance that all of `k` drawn repeats of a case pass: `C(c,k)/C(n,k)`.
 *
 * @param passed - Repeats that passed.
 * @param repeats - All repeats.
 * @param k - Drawn repeats, at most `repeats`.
 * @example
 * ```ts
 * import { passAll } from "@bailiwick/evals";
 *
 * console.log(passAll(4, 5, 3)); // 0.4
 * ```
 */
export function passAll(passed: number, repeats: number, k: number): number {
  for (const count of [passed, repeats, k]) checkArgument(count, "number", "passAll(passed, repeats, k)");
  let chance = 1;
  for (let drawn = 0; drawn < k; drawn += 1) chance *= Math.max(0, passed - drawn) / (repeats - drawn);
  return chance;
}

/**
 * Chance that at least one of `k` drawn repeats of a case passes: `1 - C(n-c,k)/C(n,k)`.
 *
 * @param passed - Repeats that passed.
 * @param repeats - All repeats.
 * @param k - Drawn repeats, at most `repeats`.
 * @example
 * ```ts
 * import { passAny } from "@bailiwick/evals";
 *
 * console.log(passAny(1, 5, 3)); // 0.6
 * ```
 */
export function passAny(passed: number, repeats: number, k: number): number {
  return 1 - passAll(repeats - passed, repeats, k);
}
