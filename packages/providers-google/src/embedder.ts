import {
  answerJson,
  checkBaseURL,
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
import { toModelError } from "./errors.ts";
import type { GoogleOptions } from "./options.ts";

/** Settings of {@link googleEmbedder}. */
export interface GoogleEmbedderOptions
  extends
    EmbedderSettings,
    Pick<
      GoogleOptions,
      | "apiKey"
      | "vertexai"
      | "project"
      | "location"
      | "googleAuthOptions"
      | "baseURL"
      | "apiVersion"
      | "headers"
      | "fetch"
      | "timeoutMs"
    > {
  /** Use of the vectors, such as `SEMANTIC_SIMILARITY`, for models that support it. Default: the vendor's. */
  readonly taskType?: string | undefined;
}

/** The compiler checks that every option is listed here: an unlisted one would be refused as unknown. */
const own: { readonly [Name in Exclude<keyof Required<GoogleEmbedderOptions>, keyof EmbedderSettings>]: true } = {
  apiKey: true,
  vertexai: true,
  project: true,
  location: true,
  googleAuthOptions: true,
  baseURL: true,
  apiVersion: true,
  headers: true,
  fetch: true,
  timeoutMs: true,
  taskType: true,
};

/**
 * Models of Google: length of their vectors, and the price per million tokens in November 2026
 * (ai.google.dev/gemini-api/docs/pricing).
 */
const models: Readonly<Record<string, { readonly dimensions: number; readonly price?: number }>> = {
  "gemini-embedding-001": { dimensions: 3072, price: 0.15 },
  "gemini-embedding-2": { dimensions: 3072, price: 0.2 },
  "text-embedding-005": { dimensions: 768 },
  "text-multilingual-embedding-002": { dimensions: 768 },
};

/** Maximum number of texts in a request to the Gemini API (https://ai.google.dev/api/embeddings). */
const geminiTexts = 100;
/**
 * Maximum number of texts per request to Vertex AI, whose Gemini models accept one
 * (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api).
 */
const vertexTexts = (modelId: string): number => (modelId.includes("gemini") ? 1 : 250);
/** Maximum number of tokens in a request to Vertex AI. */
const vertexCharacters = 20_000;

/**
 * An embedding model of Google, over the Gemini API or, with `vertexai`, over Vertex AI: for `memory({ embedder })`.
 * Texts are sent in the largest requests that the vendor accepts.
 *
 * @param modelId - Such as `gemini-embedding-001`.
 * @param options - The API, and the length of the vectors; a model that is not known needs `dimensions`.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`, `DIMENSIONS_MISSING`.
 * @example
 * ```ts
 * import { googleEmbedder } from "@bailiwick/providers-google";
 *
 * const embedder = googleEmbedder("gemini-embedding-001", { dimensions: 768 });
 * console.log(embedder.model, embedder.dims); // "google/gemini-embedding-001" 768
 * ```
 */
export function googleEmbedder(modelId: string, options: GoogleEmbedderOptions = {}): Embedder {
  checkKnownNames(options, [...embedderOptionNames, ...Object.keys(own)], "googleEmbedder()");
  checkEmbedderSettings(options, "googleEmbedder()");
  checkModelId(modelId, "googleEmbedder()");
  checkBaseURL(options.baseURL, "googleEmbedder()", "https://generativelanguage.googleapis.com");
  checkTimeout(options.timeoutMs, "googleEmbedder()");
  const known = models[modelId];
  const dimensions = options.dimensions ?? known?.dimensions;
  if (dimensions === undefined) {
    throw new ConfigurationError(
      "DIMENSIONS_MISSING",
      `googleEmbedder("${modelId}") needs "dimensions", the length of the model's vectors, such as 768.`,
    );
  }
  const client = createClient(modelId, clientOptions(options));
  const vertex = client.api === "vertex";
  const settings = {
    ...(options.taskType === undefined ? {} : { taskType: options.taskType }),
    ...(options.dimensions === undefined ? {} : { outputDimensionality: dimensions }),
  };
  return createEmbedder(
    {
      provider: "google",
      modelId,
      dimensions,
      maxBatch: vertex ? vertexTexts(modelId) : geminiTexts,
      ...(vertex ? { maxCharacters: vertexCharacters } : {}),
      pricePerMillion: known?.price,
      failure: (error, moment) => toModelError(error, { modelId }, { ...moment, apiKey: client.apiKey }),
      async request(texts, controller) {
        const response = vertex
          ? await client.send("predict", vertexBody(texts, settings), {}, controller)
          : await client.send("batchEmbedContents", geminiBody(texts, modelId, settings), {}, controller);
        const body = answerJson(await response.text());
        const answer = vertex ? readPredictions(body) : readEmbeddings(body);
        if (answer !== undefined) return answer;
        throw new ModelResponseError(`The answer of ${modelId} has no vectors.`, {
          provider: "google",
          model: modelId,
          retryable: true,
          body: JSON.stringify(body),
        });
      },
    },
    options,
  );
}

interface VectorSettings {
  readonly taskType?: string;
  readonly outputDimensionality?: number;
}

function geminiBody(texts: readonly string[], modelId: string, settings: VectorSettings): object {
  const model = /^(models|tunedModels)\//.test(modelId) ? modelId : `models/${modelId}`;
  return { requests: texts.map((text) => ({ model, content: { parts: [{ text }] }, ...settings })) };
}

function vertexBody(texts: readonly string[], { taskType, outputDimensionality }: VectorSettings): object {
  return {
    instances: texts.map((content) => ({ content, ...(taskType === undefined ? {} : { task_type: taskType }) })),
    ...(outputDimensionality === undefined ? {} : { parameters: { outputDimensionality } }),
  };
}

function readEmbeddings(body: unknown): EmbeddingAnswer | undefined {
  const vectors = isJsonObject(body) ? vectorsOf(jsonObjects(body["embeddings"])) : undefined;
  if (vectors === undefined) return undefined;
  const usage = isJsonObject(body) && isJsonObject(body["usageMetadata"]) ? body["usageMetadata"] : {};
  const tokens = usage["promptTokenCount"];
  return { vectors, ...(typeof tokens === "number" ? { tokens } : {}) };
}

function readPredictions(body: unknown): EmbeddingAnswer | undefined {
  const found = isJsonObject(body) ? jsonObjects(body["predictions"]) : [];
  const embeddings = found.flatMap(({ embeddings: one }) => (isJsonObject(one) ? [one] : []));
  const vectors = vectorsOf(embeddings);
  if (vectors === undefined) return undefined;
  const tokens = embeddings.reduce<number>((sum, { statistics }) => {
    const count = isJsonObject(statistics) ? statistics["token_count"] : undefined;
    return sum + (typeof count === "number" ? count : 0);
  }, 0);
  return { vectors, ...(tokens === 0 ? {} : { tokens }) };
}

function vectorsOf(embeddings: readonly Readonly<Record<string, unknown>>[]): readonly number[][] | undefined {
  const vectors = embeddings.map(({ values }) => values);
  const whole = vectors.length > 0 && vectors.every((values): values is number[] => Array.isArray(values));
  return whole ? vectors : undefined;
}

function clientOptions(options: GoogleEmbedderOptions): GoogleOptions {
  const { apiKey, vertexai, project, location, googleAuthOptions, baseURL, apiVersion, headers, fetch, timeoutMs } =
    options;
  return { apiKey, vertexai, project, location, googleAuthOptions, baseURL, apiVersion, headers, fetch, timeoutMs };
}
