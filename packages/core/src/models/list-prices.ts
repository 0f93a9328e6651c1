import type { ModelPrice, PriceTable } from "../contracts/model-price.ts";
import { knownModels } from "./known-models.ts";

/**
 * List prices of common models in US dollars, from the vendors' price pages: of tokens by kind, length of the context and
 * service tier, and of the vendors' tools. `knownModels` has the page and the day of each. A model that is not in the
 * table has no cost, and vendors change their prices: an agent's `prices` override each row.
 *
 * @example
 * ```ts
 * import { Agent, listPrices } from "@bailiwick/agent";
 * import { openai } from "@bailiwick/providers-openai";
 *
 * // What this account pays for a model, in place of its list price.
 * const prices = { "openai/gpt-5.5": { input: 4, cachedInput: 0.4, output: 24 } };
 * export const agent = new Agent({ name: "clerk", model: openai("gpt-5.5"), prices, budget: { usd: 1 } });
 * console.log(listPrices["openai/gpt-5.5"]?.input);
 * ```
 */
export const listPrices: PriceTable = Object.fromEntries(
  Object.entries(knownModels).flatMap(([id, { price }]): [string, ModelPrice][] =>
    price === undefined ? [] : [[id, price]],
  ),
);
