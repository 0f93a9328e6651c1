import type { ModelPrice, PriceTable } from "../../contracts/model-price.ts";
import type { TokenUsage } from "../../contracts/token-usage.ts";
import { listPrices } from "../../models/list-prices.ts";

/** The price of a model, or `undefined` when nobody knows it. */
export function priceOf(provider: string, model: string, own: PriceTable | undefined): ModelPrice | undefined {
  return lookUp(own, provider, model) ?? lookUp(listPrices, provider, model);
}

function lookUp(table: PriceTable | undefined, provider: string, model: string): ModelPrice | undefined {
  if (table === undefined) return undefined;
  return table[`${provider}/${model}`] ?? table[`${provider}/${model.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8})$/, "")}`];
}

/**
 * Cost of a model call in US dollars.
 *
 * @param price - `undefined` makes the cost `undefined`, never 0.
 * @param usage - Cached tokens are part of `promptTokens`.
 */
export function costOf(price: ModelPrice | undefined, usage: TokenUsage): number | undefined {
  if (price === undefined) return undefined;
  const cached = usage.cachedTokens ?? 0;
  const written = usage.cacheWriteTokens ?? 0;
  const fresh = Math.max(0, usage.promptTokens - cached - written);
  const perMillion =
    fresh * price.input +
    cached * (price.cachedInput ?? price.input) +
    written * (price.cacheWrite ?? price.input) +
    usage.completionTokens * price.output;
  return perMillion / 1_000_000;
}
