import type { LanguageModelV4CallOptions, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { unsupportedSetting } from "@bailiwick/core/provider";
import type { ModelRequest, ReasoningConfig, Warning } from "@bailiwick/core/provider";
import type { ModelContext } from "./model-context.ts";

type Reasoning = NonNullable<LanguageModelV4CallOptions["reasoning"]>;

/** Upper limits of thinking budgets, in tokens, and the corresponding efforts: the AI SDK accepts only efforts. */
const effortOfBudget: readonly (readonly [number, Reasoning])[] = [
  [1024, "minimal"],
  [4096, "low"],
  [16_384, "medium"],
  [Number.POSITIVE_INFINITY, "high"],
];

/** Settings that are the same in every version: sampling and limits. */
export function samplingOf(request: ModelRequest): Partial<LanguageModelV4CallOptions> {
  const { temperature, topP, stopSequences = [], maxTokens } = request;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(stopSequences.length === 0 ? {} : { stopSequences: [...stopSequences] }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
  };
}

/** The effort of reasoning, which models of version 4 accept. */
export function reasoningOf(
  request: ModelRequest,
  context: ModelContext,
  warnings: Warning[],
): { readonly reasoning?: Reasoning } {
  const { reasoning } = request;
  if (reasoning === undefined) return {};
  if (context.version === "v3") {
    warnings.push(
      unsupportedSetting("reasoning", `a model of version 3 accepts it only in the "providerOptions" of its vendor.`),
    );
    return {};
  }
  return { reasoning: effortOf(reasoning) };
}

function effortOf({ enabled, effort, budgetTokens }: ReasoningConfig): Reasoning {
  if (!enabled) return "none";
  if (effort !== undefined) return effort;
  if (budgetTokens === undefined) return "medium";
  return effortOfBudget.find(([most]) => budgetTokens <= most)?.[1] ?? "high";
}

/**
 * Options of the vendors: the given ones, and those that other settings require.
 *
 * @param request - The request.
 * @param context - The model.
 * @param warnings - Gets an entry for each setting that the vendor does not have.
 */
export function providerOptionsFor(
  request: ModelRequest,
  { vendor, modelId }: ModelContext,
  warnings: Warning[],
): { readonly providerOptions?: SharedV4ProviderOptions } {
  const options: Record<string, Record<string, unknown>> = {};
  for (const [name, given] of Object.entries(request.providerOptions ?? {})) options[name] = { ...given };
  for (const [name, own] of Object.entries(vendor.defaults ?? {})) options[name] = { ...own, ...options[name] };
  if (request.parallelToolCalls !== undefined) {
    if (vendor.parallelCalls === undefined) {
      warnings.push(unsupportedSetting("parallelToolCalls", `the AI SDK has no such setting for ${modelId}.`));
    } else {
      for (const [name, own] of Object.entries(vendor.parallelCalls(request.parallelToolCalls)))
        options[name] = { ...own, ...options[name] };
    }
  }
  if (request.caching === "shared" && vendor.cacheMark?.(modelId, true) === undefined) {
    warnings.push(unsupportedSetting("caching", `the adapter knows no cache marks for ${modelId}.`));
  }
  return Object.keys(options).length === 0 ? {} : { providerOptions: options as SharedV4ProviderOptions };
}
