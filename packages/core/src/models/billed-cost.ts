import type { ModelPrice, TokenPrices } from "../contracts/model-price.ts";
import type { BilledRequest, TokenUsage } from "../contracts/token-usage.ts";

/** Cost of a model call, and what it was billed for that has no price. */
export interface BilledCost {
  /** US dollars; `undefined` if anything that was billed has no price. */
  readonly usd: number | undefined;
  /** Billed items without a price, for a person to read. */
  readonly unpriced: readonly string[];
}

/**
 * Computes the cost of a model call from everything that the vendor bills: each kind of token, the size of the input,
 * the tier and the region that answered, and calls of the vendor's tools. If the server reports its own bill, that
 * counts.
 *
 * @param usage - Usage that the vendor reported.
 * @param price - Price of the model that was asked; `undefined` makes the cost unknown.
 * @param priceOfOther - Prices of models that the vendor asked in place of it.
 */
export function billedCost(
  usage: TokenUsage,
  price: ModelPrice | undefined,
  priceOfOther: (model: string) => ModelPrice | undefined,
): BilledCost {
  if (usage.reportedUsd !== undefined) return { usd: usage.reportedUsd, unpriced: [] };
  if (price === undefined) return { usd: undefined, unpriced: ["tokens"] };
  const unpriced = new Set<string>();
  let perMillion = 0;
  const requests: readonly BilledRequest[] = usage.requests ?? [usage];
  for (const request of requests) {
    const own = request.model === undefined ? price : priceOfOther(request.model);
    if (own === undefined) {
      unpriced.add(`tokens of ${request.model}`);
      continue;
    }
    const tokens = pricesOfRequest(own, request.inputTokens, usage.serviceTier);
    if (tokens === undefined) unpriced.add(`the service tier "${usage.serviceTier}"`);
    else perMillion += costOfTokens(tokens, request, unpriced);
  }
  const regional = usage.region === undefined ? 1 : price.regions?.[usage.region];
  if (regional === undefined) unpriced.add(`the region "${usage.region}"`);
  let usd = (perMillion * (regional ?? 1)) / 1_000_000;
  for (const [name, calls] of Object.entries(usage.hostedCalls ?? {})) {
    const each = price.hostedCalls?.[name];
    if (each === undefined && calls > 0) unpriced.add(`calls of "${name}"`);
    usd += calls * (each ?? 0);
  }
  return { usd: unpriced.size === 0 ? usd : undefined, unpriced: [...unpriced] };
}

/**
 * Prices of the tokens of one request.
 *
 * @param inputTokens - Size of its input.
 * @param tier - The service tier; `undefined` is the standard one.
 * @returns `undefined` if the tier has no price.
 */
export function pricesOfRequest(
  price: ModelPrice,
  inputTokens: number,
  tier: string | undefined,
): TokenPrices | undefined {
  const step = price.longContext?.findLast(({ above }) => inputTokens > above);
  const prices = step ?? price;
  if (tier === undefined) return prices;
  const factor = (step?.tiers ?? price.tiers)?.[tier];
  return factor === undefined ? undefined : scaled(prices, factor);
}

const kinds = [
  "input",
  "output",
  "cachedInput",
  "cacheWrite",
  "longCacheWrite",
  "audioInput",
  "cachedAudioInput",
  "audioOutput",
] as const satisfies readonly (keyof TokenPrices)[];

function scaled(prices: TokenPrices, factor: number): TokenPrices {
  const entries = kinds.flatMap((kind) => {
    const each = prices[kind];
    return each === undefined ? [] : [[kind, each * factor] as const];
  });
  return { input: 0, output: 0, ...Object.fromEntries(entries) };
}

/** Dollars for a million times the tokens; adds each kind without a price to `unpriced`. */
function costOfTokens(prices: TokenPrices, request: BilledRequest, unpriced: Set<string>): number {
  const { cachedTokens = 0, cacheWriteTokens = 0, audioInputTokens = 0, audioOutputTokens = 0 } = request;
  const longWrites = Math.min(request.longCacheWriteTokens ?? 0, cacheWriteTokens);
  const cachedAudio = Math.min(request.cachedAudioTokens ?? 0, cachedTokens, audioInputTokens);
  const freshAudio = audioInputTokens - cachedAudio;
  const fresh = Math.max(0, request.inputTokens - cachedTokens - cacheWriteTokens - freshAudio);
  const priced = (tokens: number, each: number | undefined, what: string): number => {
    if (tokens <= 0) return 0;
    if (each === undefined) unpriced.add(what);
    return tokens * (each ?? 0);
  };
  const longWrite = prices.longCacheWrite ?? (prices.cacheWrite === undefined ? prices.input : undefined);
  return (
    fresh * prices.input +
    (cachedTokens - cachedAudio) * (prices.cachedInput ?? prices.input) +
    (cacheWriteTokens - longWrites) * (prices.cacheWrite ?? prices.input) +
    priced(longWrites, longWrite, "cache writes that are kept for an hour") +
    priced(freshAudio, prices.audioInput, "audio input") +
    priced(cachedAudio, prices.cachedAudioInput, "audio from the cache") +
    priced(audioOutputTokens, prices.audioOutput, "audio output") +
    Math.max(0, request.outputTokens - audioOutputTokens) * prices.output
  );
}
