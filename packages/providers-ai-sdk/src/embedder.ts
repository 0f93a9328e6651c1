import type { EmbeddingModelV3, EmbeddingModelV4 } from "@ai-sdk/provider";
import {
  checkEmbedderSettings,
  checkKnownNames,
  ConfigurationError,
  createEmbedder,
  embedderOptionNames,
} from "@bailiwick/core/provider";
import type { Embedder, EmbedderSettings } from "@bailiwick/core/provider";
import { toModelError } from "./errors.ts";

/** An embedding model of any AI SDK provider: version 4 of its specification, or 3. */
export type AiSdkEmbeddingModel = EmbeddingModelV4 | EmbeddingModelV3;

/** Settings of {@link aiSdkEmbedder}. */
export interface AiSdkEmbedderOptions extends EmbedderSettings {
  /** Length of the vectors; the AI SDK does not report it. */
  readonly dimensions: number;
  /** Asks a model of version 4 for vectors of the length `dimensions`, if it can shorten them. Default `false`. */
  readonly sendDimensions?: boolean | undefined;
  /** Options of the vendor, such as `{ cohere: { inputType: "search_document" } }`. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
}

/** Number of texts in a request if the package states no limit. */
const usualTexts = 32;

/**
 * An embedding model of any AI SDK provider package: for `memory({ embedder })`.
 *
 * @param model - Such as `cohere.embeddingModel("embed-v4.0")`.
 * @param options - `dimensions` is the length of its vectors.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`, `DIMENSIONS_MISSING`.
 * @example
 * ```ts
 * import { aiSdkEmbedder } from "@bailiwick/providers-ai-sdk";
 * import { mistral } from "@ai-sdk/mistral";
 *
 * const embedder = aiSdkEmbedder(mistral.embeddingModel("mistral-embed"), { dimensions: 1024 });
 * console.log(embedder.model); // "mistral/mistral-embed"
 * ```
 */
export function aiSdkEmbedder(model: AiSdkEmbeddingModel, options: AiSdkEmbedderOptions): Embedder {
  checkKnownNames(options, [...embedderOptionNames, "sendDimensions", "providerOptions"], "aiSdkEmbedder()");
  if (typeof (model as Partial<AiSdkEmbeddingModel> | undefined)?.doEmbed !== "function") {
    throw new ConfigurationError("INVALID_OPTION", "aiSdkEmbedder() takes an embedding model of the AI SDK.");
  }
  const { modelId } = model;
  if (options?.dimensions === undefined) {
    throw new ConfigurationError(
      "DIMENSIONS_MISSING",
      `aiSdkEmbedder() needs "dimensions", the length of the vectors of ${modelId}, such as 1024.`,
    );
  }
  checkEmbedderSettings(options, "aiSdkEmbedder()");
  if (options.sendDimensions === true && model.specificationVersion !== "v4") {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `aiSdkEmbedder() cannot send "dimensions" to ${modelId}, a model of version 3: use its "providerOptions".`,
    );
  }
  const [provider = model.provider] = model.provider.split(".");
  const limit = model.maxEmbeddingsPerCall;
  return createEmbedder(
    {
      provider,
      modelId,
      dimensions: options.dimensions,
      maxBatch: typeof limit === "number" ? limit : (options.maxBatch ?? usualTexts),
      failure: (error, moment) => toModelError(error, { provider, modelId }, moment),
      async request(texts, { signal }) {
        const given = {
          values: [...texts],
          abortSignal: signal,
          ...(options.sendDimensions === true ? { dimensions: options.dimensions } : {}),
          ...vendorOptions(options),
        };
        const { embeddings, usage } = await model.doEmbed(given);
        return { vectors: embeddings, ...(usage === undefined ? {} : { tokens: usage.tokens }) };
      },
    },
    options,
  );
}

type VendorOptions = NonNullable<Parameters<EmbeddingModelV4["doEmbed"]>[0]["providerOptions"]>;

function vendorOptions({ providerOptions }: AiSdkEmbedderOptions): { readonly providerOptions?: VendorOptions } {
  return providerOptions === undefined ? {} : { providerOptions: providerOptions as VendorOptions };
}
