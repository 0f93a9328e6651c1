import { isJsonObject, jsonObjects } from "@bailiwick/core/provider";
import type { TokenUsage } from "@bailiwick/core/provider";

type Counts = Readonly<Record<string, unknown>>;

/** Usage of an answer that reported none. */
export const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/**
 * The vendor's usage in the common vocabulary. Input already includes cached tokens, and the content that the vendor's
 * own tools give to the model. Thoughts are reported separately, so they are added.
 *
 * @param usage - The vendor's object.
 */
export function readUsage(usage: unknown): TokenUsage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const thoughts = count(usage, "thoughtsTokenCount");
  const inputTokens = (count(usage, "promptTokenCount") ?? 0) + (count(usage, "toolUsePromptTokenCount") ?? 0);
  const outputTokens = (count(usage, "candidatesTokenCount") ?? 0) + (thoughts ?? 0);
  const optional = {
    reasoningTokens: thoughts,
    cachedTokens: count(usage, "cachedContentTokenCount"),
    audioInputTokens: audio(usage["promptTokensDetails"]),
    audioOutputTokens: audio(usage["candidatesTokensDetails"]),
  };
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    providerMetrics: usage,
  };
}

function audio(details: unknown): number | undefined {
  const spoken = jsonObjects(details).find(({ modality }) => modality === "AUDIO");
  return spoken === undefined ? undefined : count(spoken, "tokenCount");
}

function count(counts: Counts, name: string): number | undefined {
  const value = counts[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
