import type { PriceTable } from "../contracts/model-price.ts";

/**
 * List prices of common models in US dollars per million tokens, from the vendors' price pages: the standard tier, with
 * a cache lifetime of five minutes. `knownModels` has the page and the month of each. Batches, priority, long contexts
 * and regions have other prices, a model that is not in the table has no cost, and vendors change their prices: an
 * agent's `prices` override each row.
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
export const listPrices: PriceTable = {
  "openai/gpt-4o": { input: 2.5, cachedInput: 1.25, output: 10 },
  "openai/gpt-4o-mini": { input: 0.15, cachedInput: 0.075, output: 0.6 },
  "openai/gpt-4.1": { input: 2, cachedInput: 0.5, output: 8 },
  "openai/gpt-4.1-mini": { input: 0.4, cachedInput: 0.1, output: 1.6 },
  "openai/gpt-4.1-nano": { input: 0.1, cachedInput: 0.025, output: 0.4 },
  "openai/gpt-5": { input: 1.25, cachedInput: 0.125, output: 10 },
  "openai/gpt-5-mini": { input: 0.25, cachedInput: 0.025, output: 2 },
  "openai/gpt-5-nano": { input: 0.05, cachedInput: 0.005, output: 0.4 },
  "openai/gpt-5.4": { input: 2.5, cachedInput: 0.25, output: 15 },
  "openai/gpt-5.4-mini": { input: 0.75, cachedInput: 0.075, output: 4.5 },
  "openai/gpt-5.4-nano": { input: 0.2, cachedInput: 0.02, output: 1.25 },
  "openai/gpt-5.5": { input: 5, cachedInput: 0.5, output: 30 },
  "anthropic/claude-fable-5": { input: 10, cachedInput: 1, cacheWrite: 12.5, output: 50 },
  "anthropic/claude-fable-5-1": { input: 10, cachedInput: 0.25, cacheWrite: 12.5, output: 50 },
  "anthropic/claude-opus-4-1": { input: 15, cachedInput: 1.5, cacheWrite: 18.75, output: 75 },
  "anthropic/claude-opus-4-5": { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 },
  "anthropic/claude-opus-4-6": { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 },
  "anthropic/claude-opus-4-7": { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 },
  "anthropic/claude-opus-4-8": { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 },
  "anthropic/claude-opus-5": { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 },
  "anthropic/claude-sonnet-4": { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 },
  "anthropic/claude-sonnet-4-5": { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 },
  "anthropic/claude-sonnet-4-6": { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 },
  "anthropic/claude-haiku-4-5": { input: 1, cachedInput: 0.1, cacheWrite: 1.25, output: 5 },
  "google/gemini-2.5-pro": { input: 1.25, cachedInput: 0.125, output: 10 },
  "google/gemini-2.5-flash": { input: 0.3, cachedInput: 0.03, output: 2.5 },
  "google/gemini-3-pro-preview": { input: 2, cachedInput: 0.2, output: 12 },
  "google/gemini-3-flash-preview": { input: 0.5, cachedInput: 0.05, output: 3 },
};
