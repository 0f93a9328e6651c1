import type { FinishReason } from "../../contracts/finish-reason.ts";
import type { ModelProvider } from "../../contracts/model-provider.ts";
import type { ModelResponse } from "../../contracts/model-response.ts";
import type { TokenUsage } from "../../contracts/token-usage.ts";
import type { ActiveRun } from "../active-run.ts";

/** Makes an answer complete where a provider left something out: a missing usage must not fail a run that has an answer. */
export function normalizeResponse(response: ModelResponse, run: ActiveRun, model: ModelProvider): ModelResponse {
  const given: Partial<ModelResponse> = response;
  const message = response.message;
  const usage = normalizeUsage(given.usage);
  const finishReason: FinishReason =
    given.finishReason ?? message.finishReason ?? (message.toolCalls.length > 0 ? "tool_calls" : "stop");
  return {
    ...response,
    usage,
    finishReason,
    warnings: given.warnings ?? [],
    message: {
      ...message,
      id: message.id === "" || message.id === undefined ? run.ids.next("message") : message.id,
      timestamp: message.timestamp ?? run.clock.now(),
      finishReason,
      usage,
      provenance: message.provenance ?? { provider: model.provider, api: model.api, model: model.modelId },
    },
  };
}

function normalizeUsage(usage: Partial<TokenUsage> | undefined): TokenUsage {
  const promptTokens = count(usage?.promptTokens);
  const completionTokens = count(usage?.completionTokens);
  return {
    ...usage,
    promptTokens,
    completionTokens,
    totalTokens: count(usage?.totalTokens) || promptTokens + completionTokens,
  };
}

function count(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : 0;
}
