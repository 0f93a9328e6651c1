import { isJsonObject, jsonObjects } from "@bailiwick/core/provider";
import type { TokenUsage } from "@bailiwick/core/provider";

type Counts = Readonly<Record<string, unknown>>;

/** Usage of an answer that reported none. */
export const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/**
 * Reads the vendor's usage. The vendor's input excludes tokens read from and written to the cache, so both are added.
 * If the usage lists `iterations`, their sum is billed: the counts above them exclude compactions
 * (https://platform.claude.com/docs/en/build-with-claude/compaction).
 *
 * @param usage - The vendor's object.
 */
export function readUsage(usage: unknown): TokenUsage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const iterations = jsonObjects(usage["iterations"]);
  const { reasoningTokens, ...whole } = readCounts(usage);
  return {
    ...(iterations.length === 0 ? whole : addUsages(iterations.map(readCounts))),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(iterations.length === 0 ? {} : { vendorRequests: iterations.length }),
    providerMetrics: usage,
  };
}

function readCounts(usage: Counts): TokenUsage {
  const output = isJsonObject(usage["output_tokens_details"]) ? usage["output_tokens_details"] : {};
  const cachedTokens = count(usage, "cache_read_input_tokens");
  const cacheWriteTokens = count(usage, "cache_creation_input_tokens");
  const reasoningTokens = count(output, "thinking_tokens");
  const inputTokens = (count(usage, "input_tokens") ?? 0) + (cachedTokens ?? 0) + (cacheWriteTokens ?? 0);
  const outputTokens = count(usage, "output_tokens") ?? 0;
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
  };
}

/**
 * Merges the usage of a later event into the one at the start: it corrects values, and null changes nothing.
 *
 * @param before - The vendor's object so far.
 * @param now - The vendor's object of the event.
 */
export function correctUsage(before: unknown, now: unknown): unknown {
  if (!isJsonObject(now)) return before;
  const said = Object.entries(now).filter(([, value]) => value !== null && value !== undefined);
  return { ...(isJsonObject(before) ? before : {}), ...Object.fromEntries(said) };
}

/**
 * The sum of several requests that make one answer; the vendor's object is the last one's.
 *
 * @param usages - Of each request, in order.
 */
export function addUsages(usages: readonly TokenUsage[]): TokenUsage {
  return usages.reduce(
    (sum, usage) => ({
      inputTokens: sum.inputTokens + usage.inputTokens,
      outputTokens: sum.outputTokens + usage.outputTokens,
      totalTokens: sum.totalTokens + usage.totalTokens,
      ...added("reasoningTokens", sum, usage),
      ...added("cachedTokens", sum, usage),
      ...added("cacheWriteTokens", sum, usage),
      ...added("vendorRequests", sum, usage),
      ...(usage.providerMetrics === undefined ? {} : { providerMetrics: usage.providerMetrics }),
    }),
    noUsage,
  );
}

function added(
  name: "reasoningTokens" | "cachedTokens" | "cacheWriteTokens" | "vendorRequests",
  sum: TokenUsage,
  usage: TokenUsage,
): object {
  if (sum[name] === undefined && usage[name] === undefined) return {};
  return { [name]: (sum[name] ?? 0) + (usage[name] ?? 0) };
}

function count(counts: Counts, name: string): number | undefined {
  const value = counts[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
