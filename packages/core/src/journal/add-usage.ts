import type { AgentUsage } from "../contracts/run-output.ts";
import type { TokenUsage } from "../contracts/token-usage.ts";

const optionalCounts = [
  "reasoningTokens",
  "cachedTokens",
  "cacheWriteTokens",
  "vendorRequests",
  "audioInputTokens",
  "audioOutputTokens",
] as const;

/** The usage of a run before its first model call. */
export const noUsage: TokenUsage = Object.freeze({ promptTokens: 0, completionTokens: 0, totalTokens: 0 });

/**
 * Sums two usages. A count that neither knows stays absent; the vendor's own object is that of the later one.
 *
 * @param sum - Usage so far.
 * @param next - Usage of the next call.
 */
export function addUsage(sum: TokenUsage, next: TokenUsage): TokenUsage {
  const total: { -readonly [Key in keyof TokenUsage]: TokenUsage[Key] } = {
    promptTokens: sum.promptTokens + next.promptTokens,
    completionTokens: sum.completionTokens + next.completionTokens,
    totalTokens: sum.totalTokens + next.totalTokens,
  };
  for (const name of optionalCounts) {
    const before = sum[name];
    const after = next[name];
    if (before !== undefined || after !== undefined) total[name] = (before ?? 0) + (after ?? 0);
  }
  const metrics = next.providerMetrics ?? sum.providerMetrics;
  if (metrics !== undefined) total.providerMetrics = metrics;
  return total;
}

/** Adds to a sum of costs, which is unknown once any price was. */
export function addCost(sum: number | undefined, next: number | undefined): number | undefined {
  return sum === undefined || next === undefined ? undefined : sum + next;
}

/** Adds the usage of agents to a list of them, by their names and in order of their first call. */
export function addAgentUsage(list: readonly AgentUsage[], added: readonly AgentUsage[]): AgentUsage[] {
  const byName = new Map(list.map((one) => [one.agentName, one]));
  for (const one of added) {
    const { agentName, usage, costUsd } = one;
    const known = byName.get(agentName);
    byName.set(
      agentName,
      known === undefined
        ? { agentName, usage, costUsd }
        : { agentName, usage: addUsage(known.usage, usage), costUsd: addCost(known.costUsd, costUsd) },
    );
  }
  return [...byName.values()];
}
