import type { Embedder } from "../../contracts/ports/memories.ts";
import { ModelResponseError } from "../../errors/model-errors.ts";
import { wellFormed } from "../../json/well-formed.ts";
import { requestWithRetries, type RetriedModel } from "../request-with-retries.ts";
import { batchesOf } from "./batches.ts";
import type { EmbedderSettings } from "./embedder-options.ts";

/** Vectors of one request, in the order of its texts. */
export interface EmbeddingAnswer {
  /** One vector for each text. */
  readonly vectors: readonly (readonly number[] | Float32Array)[];
  /** Tokens as the vendor counted them. */
  readonly tokens?: number | undefined;
}

/** A vendor's embedding model, as its adapter reaches it. */
export interface EmbeddingModel extends RetriedModel {
  /** Length of its vectors. */
  readonly dimensions: number;
  /** Maximum number of texts of one request. */
  readonly maxBatch: number;
  /** Maximum number of characters of one request; default unlimited. */
  readonly maxCharacters?: number | undefined;
  /** US dollars per million tokens. */
  readonly pricePerMillion?: number | undefined;
  /**
   * Sends one request.
   *
   * @param texts - At least one text, and no text is empty.
   * @param controller - Cancels it.
   */
  readonly request: (texts: readonly string[], controller: AbortController) => Promise<EmbeddingAnswer>;
}

/**
 * Makes an embedder of a vendor's model: texts are split into requests of a size that the server accepts, temporary
 * failures are retried, and the vectors are checked.
 *
 * @param model - The model.
 * @param settings - The caller's settings, checked.
 */
export function createEmbedder(model: EmbeddingModel, settings: EmbedderSettings): Embedder {
  const name = `${model.provider}/${model.modelId}`;
  const price = settings.pricePerMillion ?? model.pricePerMillion;
  const maxBatch = Math.min(settings.maxBatch ?? model.maxBatch, model.maxBatch);

  const tell = (texts: number, tokens: number | undefined): void => {
    try {
      const costUsd = tokens === undefined || price === undefined ? undefined : (tokens * price) / 1_000_000;
      settings.onUsage?.({ model: name, texts, tokens, costUsd });
    } catch (error) {
      (settings.logger ?? console).warn(`The "onUsage" of the embedder "${name}" failed.`, { error });
    }
  };

  return {
    model: name,
    dims: model.dimensions,
    async embed(texts, options) {
      const vectors: (readonly number[] | Float32Array)[] = [];
      // Servers refuse empty texts and broken characters.
      const sent = texts.map((text) => wellFormed(text) || " ");
      for (const batch of batchesOf(sent, maxBatch, model.maxCharacters ?? Infinity)) {
        const answer = await requestWithRetries(model, (controller) => model.request(batch, controller), {
          maxRetries: settings.maxRetries,
          signal: options?.signal,
        });
        tell(batch.length, answer.tokens);
        checkAnswer(answer, batch.length, model);
        vectors.push(...answer.vectors);
      }
      return vectors;
    },
  };
}

function checkAnswer({ vectors }: EmbeddingAnswer, texts: number, model: EmbeddingModel): void {
  const refuse = (message: string): never => {
    throw new ModelResponseError(message, { provider: model.provider, model: model.modelId, retryable: false });
  };
  if (vectors.length !== texts) refuse(`${model.modelId} gave ${vectors.length} vectors for ${texts} texts.`);
  for (const { length } of vectors) {
    if (length !== model.dimensions)
      refuse(
        `${model.modelId} gave a vector of length ${length} in place of ${model.dimensions}: pass \`dimensions: ${length}\`.`,
      );
  }
}
