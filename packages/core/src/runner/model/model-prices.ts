import type { ModelProvider, ModelRequest } from "../../contracts/model-provider.ts";
import type { ModelPrice, PriceTable, TokenPrices } from "../../contracts/model-price.ts";
import type { TokenUsage } from "../../contracts/token-usage.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { nearestNames } from "../../errors/nearest-names.ts";
import { billedCost, pricesOfRequest } from "../../models/billed-cost.ts";
import { knownModel } from "../../models/known-models.ts";
import { listPrices } from "../../models/list-prices.ts";
import type { OwnPrices } from "../../models/load-prices.ts";
import { ageOfRow, outdatedAfterDays } from "../../models/row-age.ts";
import type { Run } from "../run.ts";

/** Id of a model without its date. */
function undated(model: string): string {
  return model.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8})$/, "");
}

function lookUp(table: PriceTable | undefined, provider: string, model: string): ModelPrice | undefined {
  return table?.[`${provider}/${model}`] ?? table?.[`${provider}/${undated(model)}`];
}

/** The price of a model: the agent's own, else the list price. */
function priceOf({ table, failure }: OwnPrices, provider: string, model: string): ModelPrice | undefined {
  if (failure !== undefined) return undefined;
  return lookUp(table, provider, model) ?? lookUp(listPrices, provider, model);
}

/** The service tier for which a request asks; its answer names the tier that answered. */
function tierAsked({ providerOptions }: ModelRequest, provider: string): string | undefined {
  const { serviceTier, speed } = providerOptions?.[provider] ?? {};
  if (speed === "fast") return speed;
  return typeof serviceTier === "string" && !["auto", "default", "standard", "standard_only"].includes(serviceTier)
    ? serviceTier
    : undefined;
}

/** The highest prices of a request. */
interface HighestPrices {
  readonly input: number;
  readonly output: number;
}

/**
 * The highest prices at which the vendor may bill a request, before it is sent.
 *
 * @param inputTokens - Estimate of its input.
 * @returns `undefined` if the model, or the tier that the request asks for, has no price.
 */
export function highestPrices(
  own: OwnPrices,
  model: ModelProvider,
  request: ModelRequest,
  inputTokens: number,
): HighestPrices | undefined {
  const price = priceOf(own, model.provider, model.modelId);
  if (price === undefined) return undefined;
  const prices = pricesOfRequest(price, inputTokens, tierAsked(request, model.provider));
  return prices && { input: highestInput(prices, request, model.provider), output: prices.output };
}

function highestInput(prices: TokenPrices, { caching, providerOptions }: ModelRequest, provider: string): number {
  if (caching === false) return prices.input;
  const long = caching === "shared" || providerOptions?.[provider]?.["cacheTtl"] === "1h";
  return Math.max(prices.input, prices.cacheWrite ?? 0, (long ? prices.longCacheWrite : undefined) ?? 0);
}

/** The error for a budget in dollars that cannot be kept, with what is missing and the nearest known model. */
export function unknownPrice(own: OwnPrices, { provider, modelId }: ModelProvider, request: ModelRequest): Error {
  const name = `${provider}/${modelId}`;
  const tier = tierAsked(request, provider);
  if (own.failure !== undefined)
    return new ConfigurationError("PRICE_UNKNOWN", `budget.usd cannot be kept: ${own.failure}.`);
  const missing =
    priceOf(own, provider, modelId) !== undefined
      ? `the price of ${name} has no factor for the service tier "${tier}". Add it to "tiers" of the model`
      : `no price is known for ${name}.${nearest(own, name)} Add it`;
  return new ConfigurationError("PRICE_UNKNOWN", `budget.usd cannot be kept: ${missing} in the agent's "prices".`);
}

/** The error after an answer of this run whose cost is not known. */
export function unknownSpending(): Error {
  return new ConfigurationError(
    "PRICE_UNKNOWN",
    'budget.usd cannot be kept: the cost of an earlier answer of this run is not known. The warnings say what has no price; add it to the agent\'s "prices".',
  );
}

function nearest({ table }: OwnPrices, name: string): string {
  const names = nearestNames(name, [...Object.keys(table ?? {}), ...Object.keys(listPrices)], 10);
  // If two names differ by as many letters, the one of the same generation is nearer: it begins like the name.
  const near = names.toSorted((one, two) => commonStart(two, name) - commonStart(one, name))[0];
  return near === undefined ? "" : ` The nearest model with a price is ${near}.`;
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/**
 * Computes the cost of an answer, and warns if something that was billed has no price.
 *
 * @param responseModel - The model that answered, as the vendor names it: its price counts if the asked id has none.
 * @returns US dollars; `undefined` if the cost is not known.
 */
export function chargeAnswer(
  run: Run,
  own: OwnPrices,
  { provider, modelId }: ModelProvider,
  { usage, responseModel }: { readonly usage: TokenUsage; readonly responseModel?: string | undefined },
): number | undefined {
  const find = (model: string): ModelPrice | undefined => priceOf(own, provider, model);
  const price = find(modelId) ?? (responseModel === undefined ? undefined : find(responseModel));
  const { usd, unpriced } = billedCost(usage, price, find);
  const name = `${provider}/${modelId}`;
  if (own.failure !== undefined && usd === undefined) {
    run.warn({
      code: "prices_unavailable",
      message: `The cost of ${name} is not known: ${own.failure}.`,
      subject: "prices",
    });
  } else if (price !== undefined && unpriced.length > 0) {
    run.warn({
      code: "price_unknown",
      message: `The cost of an answer of ${name} is not known, because its price lacks ${unpriced.join(", ")}. Add it to the agent's "prices".`,
      subject: name,
    });
  }
  return usd;
}

/** Warns about a budget in dollars that is kept with a list price which was not checked for a long time. */
export function warnOfOldPrice(run: Run, { table }: OwnPrices, { provider, modelId }: ModelProvider): void {
  if (lookUp(table, provider, modelId) !== undefined) return;
  const row = knownModel(provider, modelId);
  if (row === undefined) return;
  const days = ageOfRow(row, run.clock.now());
  if (days <= outdatedAfterDays) return;
  const name = `${provider}/${modelId}`;
  run.warn({
    code: "price_outdated",
    message: `budget.usd is kept with a price of ${name} that was checked on ${row.checked}, ${days} days ago. Compare it with ${row.source}, or set the agent's "prices".`,
    subject: name,
  });
}
