import {
  answerJson,
  checkEmbedderSettings,
  checkKnownNames,
  checkModelId,
  checkTimeout,
  ConfigurationError,
  createEmbedder,
  embedderOptionNames,
  isJsonObject,
  jsonObjects,
  ModelResponseError,
} from "@bailiwick/core/provider";
import type { Embedder, EmbedderSettings, EmbeddingAnswer } from "@bailiwick/core/provider";
import { createClient } from "./client.ts";
import { compatNamed } from "./compat-named.ts";
import type { Compat } from "./server-record.ts";
import { toModelError } from "./errors.ts";
import type { OpenAIOptions } from "./options.ts";

/** Settings of {@link openaiEmbedder}. */
export interface OpenAIEmbedderOptions
  extends
    EmbedderSettings,
    Pick<
      OpenAIOptions,
      "apiKey" | "baseURL" | "compat" | "organization" | "project" | "headers" | "fetch" | "timeoutMs" | "allowBrowser"
    > {
  /**
   * Asks the server for vectors of the length `dimensions`. Default: for models of OpenAI that can shorten their vectors.
   * Other servers refuse it for models that cannot.
   */
  readonly sendDimensions?: boolean | undefined;
}

/** The compiler checks that every option is listed here: an unlisted one would be refused as unknown. */
const own: { readonly [Name in Exclude<keyof Required<OpenAIEmbedderOptions>, keyof EmbedderSettings>]: true } = {
  apiKey: true,
  baseURL: true,
  compat: true,
  organization: true,
  project: true,
  headers: true,
  fetch: true,
  timeoutMs: true,
  allowBrowser: true,
  sendDimensions: true,
};

/**
 * Models of OpenAI: length of their vectors, and the price per million tokens in November 2026
 * (developers.openai.com/api/docs/pricing).
 */
const models: Readonly<
  Record<string, { readonly dimensions: number; readonly shortens: boolean; readonly price: number }>
> = {
  "text-embedding-3-small": { dimensions: 1536, shortens: true, price: 0.02 },
  "text-embedding-3-large": { dimensions: 3072, shortens: true, price: 0.13 },
  "text-embedding-ada-002": { dimensions: 1536, shortens: false, price: 0.1 },
};

/**
 * Maximum number of texts and tokens in a request to OpenAI
 * (https://developers.openai.com/api/reference/resources/embeddings).
 */
const openaiLimits = { texts: 2048, characters: 300_000 };
/**
 * Number of texts in a request to another server, which seldom states its limit: the default limit of local servers.
 */
const compatibleTexts = 32;

/**
 * An embedding model of OpenAI, or of a server that speaks its protocol, such as Ollama, LM Studio and vLLM: for
 * `memory({ embedder })`. Texts are sent in the largest requests that the server accepts.
 *
 * @param modelId - Such as `text-embedding-3-small`.
 * @param options - The server, and the length of the vectors; a model that is not OpenAI's needs `dimensions`.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`, `UNKNOWN_COMPAT`, `BASE_URL_MISSING`, `DIMENSIONS_MISSING`.
 * @example
 * ```ts
 * import { openaiEmbedder } from "@bailiwick/providers-openai";
 *
 * const embedder = openaiEmbedder("text-embedding-3-small");
 * const local = openaiEmbedder("nomic-embed-text", { compat: "ollama", dimensions: 768 });
 * console.log(embedder.dims, local.dims); // 1536 768
 * ```
 */
export function openaiEmbedder(modelId: string, options: OpenAIEmbedderOptions = {}): Embedder {
  checkKnownNames(options, [...embedderOptionNames, ...Object.keys(own)], "openaiEmbedder()");
  checkEmbedderSettings(options, "openaiEmbedder()");
  checkModelId(modelId, "openaiEmbedder()");
  checkTimeout(options.timeoutMs, "openaiEmbedder()");
  const compat = typeof options.compat === "object" ? options.compat : compatNamed(options.compat ?? "openai");
  const known = compat.openaiModels ? models[modelId] : undefined;
  const dimensions = options.dimensions ?? known?.dimensions;
  if (dimensions === undefined) {
    throw new ConfigurationError(
      "DIMENSIONS_MISSING",
      `openaiEmbedder("${modelId}") needs "dimensions", the length of the model's vectors, such as 768: it is only known for models of OpenAI.`,
    );
  }
  const shortened = options.sendDimensions ?? (known?.shortens === true && dimensions !== known.dimensions);
  const client = createClient(embeddingClientOptions(options), compat, "/embeddings");
  const context = { modelId, compat, api: "chat", ownAddress: options.baseURL !== undefined } as const;
  return createEmbedder(
    {
      provider: compat.provider,
      modelId,
      dimensions,
      maxBatch: compat.openaiModels ? openaiLimits.texts : (options.maxBatch ?? compatibleTexts),
      ...(compat.openaiModels ? { maxCharacters: openaiLimits.characters } : {}),
      pricePerMillion: known?.price,
      failure: (error, moment) => toModelError(error, context, { ...moment, apiKey: client.apiKey }),
      async request(texts, controller) {
        const body = { model: modelId, input: texts, encoding_format: "float", ...(shortened ? { dimensions } : {}) };
        const response = await client.send(JSON.stringify(body), {}, controller);
        return readVectors(answerJson(await response.text()), modelId, compat);
      },
    },
    options,
  );
}

function embeddingClientOptions({
  apiKey,
  baseURL,
  organization,
  project,
  headers,
  fetch,
  timeoutMs,
  allowBrowser,
}: OpenAIEmbedderOptions): OpenAIOptions {
  return { apiKey, baseURL, organization, project, headers, fetch, timeoutMs, allowBrowser };
}

function readVectors(body: unknown, modelId: string, { provider }: Compat): EmbeddingAnswer {
  const data = isJsonObject(body) ? jsonObjects(body["data"]) : [];
  const vectors = new Map(
    data.map(({ index, embedding }, place) => [typeof index === "number" ? index : place, embedding]),
  );
  const ordered = [...vectors].toSorted(([one], [other]) => one - other).map(([, embedding]) => embedding);
  if (ordered.length === 0 || !ordered.every((embedding): embedding is number[] => Array.isArray(embedding))) {
    throw new ModelResponseError(`The answer of ${modelId} has no vectors.`, {
      provider,
      model: modelId,
      retryable: true,
      body: JSON.stringify(body),
    });
  }
  const usage = isJsonObject(body) && isJsonObject(body["usage"]) ? body["usage"] : {};
  const tokens = usage["prompt_tokens"] ?? usage["total_tokens"];
  return { vectors: ordered, ...(typeof tokens === "number" ? { tokens } : {}) };
}
