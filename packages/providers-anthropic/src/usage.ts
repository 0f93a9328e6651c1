import { isJsonObject, jsonObjects, jsonText } from "@bailiwick/core/provider";
import type { AssistantPart, BilledRequest, TokenUsage } from "@bailiwick/core/provider";

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
  const requests = iterations.map(readRequest);
  return {
    ...(iterations.length === 0 ? whole : addUsages(iterations.map(readCounts))),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(iterations.length === 0 ? {} : { vendorRequests: iterations.length, requests }),
    ...readBilling(usage),
    providerMetrics: usage,
  };
}

/** One request inside a call; a fallback or an adviser is another model, with its own prices. */
function readRequest(iteration: Counts): BilledRequest {
  const model = jsonText(iteration["model"]);
  const { totalTokens: _, ...counts } = readCounts(iteration);
  return { ...counts, ...(model === "" ? {} : { model }) };
}

/** Reads the billed facts besides tokens: the tier, the faster mode, the region and searches. */
function readBilling(usage: Counts): Pick<TokenUsage, "serviceTier" | "region" | "hostedCalls"> {
  const tier = usage["speed"] === "fast" ? "fast" : jsonText(usage["service_tier"]);
  const region = jsonText(usage["inference_geo"]);
  const searches = isJsonObject(usage["server_tool_use"])
    ? count(usage["server_tool_use"], "web_search_requests")
    : undefined;
  return {
    ...(["", "standard"].includes(tier) ? {} : { serviceTier: tier }),
    ...(["", "global", "not_available"].includes(region) ? {} : { region }),
    ...(searches === undefined || searches === 0 ? {} : { hostedCalls: { web_search: searches } }),
  };
}

function readCounts(usage: Counts): TokenUsage {
  const output = isJsonObject(usage["output_tokens_details"]) ? usage["output_tokens_details"] : {};
  const cachedTokens = count(usage, "cache_read_input_tokens");
  const cacheWriteTokens = count(usage, "cache_creation_input_tokens");
  const lifetimes = isJsonObject(usage["cache_creation"]) ? usage["cache_creation"] : {};
  const longCacheWriteTokens = count(lifetimes, "ephemeral_1h_input_tokens");
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
    ...(longCacheWriteTokens === undefined || longCacheWriteTokens === 0 ? {} : { longCacheWriteTokens }),
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
  const requests = usages.length > 1 ? usages.flatMap(requestsOf) : usages[0]?.requests;
  const tier = usages.findLast(({ serviceTier }) => serviceTier !== undefined)?.serviceTier;
  const region = usages.findLast((usage) => usage.region !== undefined)?.region;
  return {
    ...usages.reduce(addTwo, noUsage),
    ...(requests === undefined ? {} : { requests }),
    ...(tier === undefined ? {} : { serviceTier: tier }),
    ...(region === undefined ? {} : { region }),
  };
}

function requestsOf(usage: TokenUsage): readonly BilledRequest[] {
  if (usage.requests !== undefined) return usage.requests;
  const { totalTokens: _, providerMetrics: _metrics, ...counts } = usage;
  return [counts];
}

function addTwo(sum: TokenUsage, usage: TokenUsage): TokenUsage {
  const searches = (sum.hostedCalls?.["web_search"] ?? 0) + (usage.hostedCalls?.["web_search"] ?? 0);
  return {
    inputTokens: sum.inputTokens + usage.inputTokens,
    outputTokens: sum.outputTokens + usage.outputTokens,
    totalTokens: sum.totalTokens + usage.totalTokens,
    ...added("reasoningTokens", sum, usage),
    ...added("cachedTokens", sum, usage),
    ...added("cacheWriteTokens", sum, usage),
    ...added("longCacheWriteTokens", sum, usage),
    ...added("vendorRequests", sum, usage),
    ...(searches === 0 ? {} : { hostedCalls: { web_search: searches } }),
    ...(usage.providerMetrics === undefined ? {} : { providerMetrics: usage.providerMetrics }),
  };
}

/**
 * Adds runs of the vendor's code to what is billed: by time, which the answer does not report. Beside its web tools they
 * are free (https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool).
 *
 * @param content - The parts of the answer.
 */
export function withCodeRuns(usage: TokenUsage, content: readonly AssistantPart[]): TokenUsage {
  const names = content.flatMap((part) => (part.type === "hosted_tool" ? [part.toolName] : []));
  const runs = names.filter((name) => name.endsWith("code_execution")).length;
  if (runs === 0 || names.some((name) => name === "web_search" || name === "web_fetch")) return usage;
  return { ...usage, hostedCalls: { ...usage.hostedCalls, code_execution: runs } };
}

function added(
  name: "reasoningTokens" | "cachedTokens" | "cacheWriteTokens" | "longCacheWriteTokens" | "vendorRequests",
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
