import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { TokenUsage } from "@bailiwick/core/provider";

/** Usage of an answer that reported none. */
const noUsage: TokenUsage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };

/**
 * The AI SDK's usage in one vocabulary. Its totals include cached and reasoning tokens already.
 *
 * @param usage - As the model reported it.
 */
export function readUsage(usage: LanguageModelV4Usage | undefined): TokenUsage {
  if (usage === undefined) return noUsage;
  const { inputTokens: input, outputTokens: output } = usage;
  const promptTokens = input?.total ?? sum(input?.noCache, input?.cacheRead, input?.cacheWrite);
  const completionTokens = output?.total ?? sum(output?.text, output?.reasoning);
  const optional = {
    reasoningTokens: output?.reasoning,
    cachedTokens: input?.cacheRead,
    cacheWriteTokens: input?.cacheWrite,
  };
  return {
    promptTokens,
    completionTokens,
    totalTokens: promptTokens + completionTokens,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    providerMetrics: usage.raw ?? { ...usage },
  };
}

function sum(...counts: readonly (number | undefined)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0);
}
