import type { StudioSpan } from "../../../src/views/view-types.ts";
import { cost } from "../format.ts";

type PricedCall = Pick<StudioSpan, "kind" | "title" | "inputTokens" | "costUsd">;

/**
 * The cost of a run in words: "at least" if no price is known for one of its models.
 *
 * @param usd - The sum of the known costs.
 * @param calls - The spans of the run.
 * @returns the words, and the models without a price.
 */
export function runCost(
  usd: number | undefined,
  calls: readonly PricedCall[],
): { readonly words: string; readonly unpriced: readonly string[] } {
  const answered = calls.filter(({ kind, inputTokens }) => kind === "model" && inputTokens !== undefined);
  const unpriced = [...new Set(answered.filter(({ costUsd }) => costUsd === undefined).map(({ title }) => title))];
  const known = cost(usd);
  return { words: known !== "" && unpriced.length > 0 ? `at least ${known}` : known, unpriced };
}
