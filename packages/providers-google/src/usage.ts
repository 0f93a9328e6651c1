import { isJsonObject, jsonObjects, jsonText } from "@bailiwick/core/provider";
import type { AssistantPart, HostedToolPart, TokenUsage } from "@bailiwick/core/provider";

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
    cachedAudioTokens: audio(usage["cacheTokensDetails"]),
    audioOutputTokens: audio(usage["candidatesTokensDetails"]),
    serviceTier: tierOf(usage),
  };
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    providerMetrics: usage,
  };
}

/** The tier that answered; Vertex AI reports it as a kind of traffic. */
function tierOf(usage: Counts): string | undefined {
  const word = jsonText(usage["serviceTier"]) || jsonText(usage["trafficType"]).replace("ON_DEMAND_", "");
  const tier = word.toLowerCase().replace(/^service_tier_/, "");
  return ["", "standard", "unspecified", "on_demand", "traffic_type_unspecified"].includes(tier) ? undefined : tier;
}

/**
 * Counts the searches that are billed: from the third generation on each query, before it each prompt that searched.
 *
 * @param content - The parts of the answer.
 * @param byQuery - True if each query is billed.
 * @param metadata - Metadata of the candidates, in order.
 */
export function countHostedCalls(
  content: readonly AssistantPart[],
  byQuery: boolean,
  metadata: readonly Counts[],
): Pick<TokenUsage, "hostedCalls"> {
  const queries = content
    .filter((part) => part.type === "hosted_tool" && part.toolName === "google_search" && part.input !== undefined)
    .map((part) => (part as HostedToolPart).input)
    .reduce<number>(
      (sum, input) => sum + (isJsonObject(input) && Array.isArray(input["queries"]) ? input["queries"].length : 1),
      0,
    );
  const maps = metadata.some(({ groundingMetadata: grounding }) =>
    jsonObjects(isJsonObject(grounding) ? grounding["groundingChunks"] : undefined).some((chunk) => "maps" in chunk),
  );
  const calls = {
    ...(queries === 0 ? {} : { google_search: byQuery ? queries : 1 }),
    ...(maps ? { google_maps: 1 } : {}),
  };
  return Object.keys(calls).length === 0 ? {} : { hostedCalls: calls };
}

function audio(details: unknown): number | undefined {
  const spoken = jsonObjects(details).find(({ modality }) => modality === "AUDIO");
  return spoken === undefined ? undefined : count(spoken, "tokenCount");
}

function count(counts: Counts, name: string): number | undefined {
  const value = counts[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
