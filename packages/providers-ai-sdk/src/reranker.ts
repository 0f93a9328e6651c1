import type { RerankingModelV3, RerankingModelV4 } from "@ai-sdk/provider";
import { checkKnownNames, ConfigurationError, requestWithRetries, wellFormed } from "@bailiwick/core/provider";
import type { Reranker, RetriedModel } from "@bailiwick/core/provider";
import { toModelError } from "./errors.ts";

/** A reranking model of any AI SDK provider: version 4 of its specification, or 3. */
export type AiSdkRerankingModel = RerankingModelV4 | RerankingModelV3;

/** Settings of {@link aiSdkReranker}. */
export interface AiSdkRerankerOptions {
  /** Retries after a temporary failure; default 2. */
  readonly maxRetries?: number | undefined;
  /** Options of the vendor, such as `{ cohere: { maxTokensPerDoc: 512 } }`. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
}

/**
 * A reranking model of any AI SDK provider package: for `memory({ reranker })`.
 *
 * @param model - Such as `cohere.reranking("rerank-v3.5")`.
 * @param options - Retries and options of the vendor.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`.
 * @example
 * ```ts
 * import { aiSdkReranker } from "@bailiwick/providers-ai-sdk";
 * import { cohere } from "@ai-sdk/cohere";
 *
 * const reranker = aiSdkReranker(cohere.reranking("rerank-v3.5"));
 * console.log(reranker.model); // "cohere/rerank-v3.5"
 * ```
 */
export function aiSdkReranker(model: AiSdkRerankingModel, options: AiSdkRerankerOptions = {}): Reranker {
  checkKnownNames(options, ["maxRetries", "providerOptions"], "aiSdkReranker()");
  if (typeof (model as Partial<AiSdkRerankingModel> | undefined)?.doRerank !== "function") {
    throw new ConfigurationError("INVALID_OPTION", "aiSdkReranker() takes a reranking model of the AI SDK.");
  }
  const { maxRetries, providerOptions } = options;
  if (maxRetries !== undefined && !(Number.isSafeInteger(maxRetries) && maxRetries >= 0)) {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `aiSdkReranker() takes a whole number from 0 as "maxRetries", not ${String(maxRetries)}.`,
    );
  }
  const { modelId } = model;
  const [provider = model.provider] = model.provider.split(".");
  const retried: RetriedModel = {
    provider,
    modelId,
    failure: (error, moment) => toModelError(error, { provider, modelId }, moment),
  };
  return {
    model: `${provider}/${modelId}`,
    async rerank(query, texts, { limit, signal } = {}) {
      if (texts.length === 0) return [];
      const { ranking } = await requestWithRetries(
        retried,
        async (controller) =>
          model.doRerank({
            // Servers refuse empty texts and broken characters.
            documents: { type: "text", values: texts.map((text) => wellFormed(text) || " ") },
            query: wellFormed(query) || " ",
            abortSignal: controller.signal,
            ...(limit === undefined ? {} : { topN: Math.min(limit, texts.length) }),
            ...(providerOptions === undefined ? {} : { providerOptions: providerOptions as VendorOptions }),
          }),
        { maxRetries, signal },
      );
      return ranking.map(({ index, relevanceScore }) => ({ index, relevance: relevanceScore }));
    },
  };
}

type VendorOptions = NonNullable<Parameters<RerankingModelV4["doRerank"]>[0]["providerOptions"]>;
