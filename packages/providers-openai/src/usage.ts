import type { TokenUsage } from "@bailiwick/core/provider";
import { readBill } from "./billing.ts";

type Counts = Readonly<Record<string, unknown>>;

/** Usage of an answer that reported none. */
export const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/**
 * The vendor's usage in one vocabulary, of either wire. Input already includes cached tokens, and output includes
 * reasoning; if the total shows that a server counts reasoning separately, it is added.
 *
 * @param usage - The vendor's object; servers differ in where they put cached tokens.
 */
export function readUsage(usage: unknown): TokenUsage | undefined {
  if (typeof usage !== "object" || usage === null) return undefined;
  const counts = usage as Counts;
  const input = detailsOf(counts, "input_tokens_details", "prompt_tokens_details");
  const output = detailsOf(counts, "output_tokens_details", "completion_tokens_details");
  const inputTokens = count(counts, "input_tokens", "prompt_tokens") ?? 0;
  const written = count(counts, "output_tokens", "completion_tokens") ?? 0;
  const counted = count(output, "reasoning_tokens") ?? count(counts, "reasoning_tokens");
  const beside = besideOutput((count(counts, "total_tokens") ?? 0) - inputTokens - written, counted);
  const outputTokens = written + beside;
  const reasoningTokens = counted ?? (beside > 0 ? beside : undefined);
  const cachedTokens =
    count(input, "cached_tokens") ?? count(counts, "cached_tokens", "prompt_cache_hit_tokens", "num_cached_tokens");
  const cacheWriteTokens = count(input, "cache_write_tokens") ?? count(counts, "cache_write_tokens");
  const audioInputTokens = count(input, "audio_tokens");
  const audioOutputTokens = count(output, "audio_tokens");
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(audioInputTokens !== undefined && { audioInputTokens }),
    ...(audioOutputTokens !== undefined && { audioOutputTokens }),
    ...readBill(counts),
    providerMetrics: counts,
  };
}

/** Reasoning tokens that are in the total but not in the output: xAI reports them, Gemini's endpoint does not. */
function besideOutput(missing: number, reasoning: number | undefined): number {
  return missing > 0 && (reasoning === undefined || reasoning === missing) ? missing : 0;
}

function detailsOf(counts: Counts, ...names: readonly string[]): Counts {
  const found = names.map((name) => counts[name]).find((value) => typeof value === "object" && value !== null);
  return (found as Counts | undefined) ?? {};
}

function count(counts: Counts, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = counts[name];
    if (typeof value === "number" && Number.isFinite(value)) return value;
  }
  return undefined;
}
