import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { TokenUsage } from "@bailiwick/core/provider";

/** Usage of an answer that reported none. */
const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/**
 * The AI SDK's usage in one vocabulary. Its totals already include cached and reasoning tokens.
 *
 * @param usage - As the model reported it.
 */
export function readUsage(usage: LanguageModelV4Usage | undefined): TokenUsage {
  if (usage === undefined) return noUsage;
  const { inputTokens: input, outputTokens: output } = usage;
  const inputTokens = input?.total ?? sum(input?.noCache, input?.cacheRead, input?.cacheWrite);
  const outputTokens = output?.total ?? sum(output?.text, output?.reasoning);
  const optional = {
    reasoningTokens: output?.reasoning,
    cachedTokens: input?.cacheRead,
    cacheWriteTokens: input?.cacheWrite,
  };
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    providerMetrics: usage.raw ?? { ...usage },
  };
}

function sum(...counts: readonly (number | undefined)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0);
}
