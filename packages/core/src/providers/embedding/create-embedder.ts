import type { Embedder } from "../../contracts/ports/memories.ts";
import { ModelAbortedError, ModelError, ModelResponseError } from "../../errors/model-errors.ts";
import { wellFormed } from "../../json/well-formed.ts";
import { linkSignal } from "../link-signal.ts";
import type { FailureMoment } from "../model-failure.ts";
import { batchesOf } from "./batches.ts";
import type { EmbedderSettings } from "./embedder-options.ts";

/** Vectors of one request, in the order of its texts. */
export interface EmbeddingAnswer {
  readonly vectors: readonly (readonly number[] | Float32Array)[];
  /** Tokens as the vendor counted them. */
  readonly tokens?: number | undefined;
}

/** A vendor's embedding model, as its adapter reaches it. */
export interface EmbeddingModel {
  /** Vendor, such as `openai`. */
  readonly provider: string;
  readonly modelId: string;
  /** Length of its vectors. */
  readonly dimensions: number;
  /** Most texts of one request. */
  readonly maxBatch: number;
  /** Most characters of one request; default unlimited. */
  readonly maxCharacters?: number | undefined;
  /** US dollars a million tokens. */
  readonly pricePerMillion?: number | undefined;
  /**
   * Sends one request.
   *
   * @param texts - Not empty, and no text is.
   * @param controller - Cancels it.
   */
  readonly request: (texts: readonly string[], controller: AbortController) => Promise<EmbeddingAnswer>;
  /** The typed error for what {@link EmbeddingModel.request} threw. */
  readonly failure: (error: unknown, moment: FailureMoment) => Error;
}

/** First wait before another attempt, in milliseconds; it doubles. */
const firstDelayMs = 250;
/** Longest wait that a vendor may demand, in milliseconds; above it the error is given at once. */
const longestDelayMs = 10_000;

/**
 * Makes an embedder of a vendor's model: texts go in requests that the server takes, what may pass is tried again, and
 * the vectors are checked.
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

  const once = async (texts: readonly string[], signal: AbortSignal | undefined): Promise<EmbeddingAnswer> => {
    const link = linkSignal(signal);
    try {
      signal?.throwIfAborted();
      return await model.request(texts, link.controller);
    } catch (error) {
      throw model.failure(error, { aborted: signal?.aborted === true, reason: signal?.reason });
    } finally {
      link.release();
    }
  };

  const withRetries = async (texts: readonly string[], signal: AbortSignal | undefined): Promise<EmbeddingAnswer> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await once(texts, signal);
      } catch (error) {
        const delayMs = delayAfter(error, attempt);
        if (attempt >= (settings.maxRetries ?? 2) || delayMs === undefined) throw error;
        await pause(delayMs, model, signal);
      }
    }
  };

  return {
    model: name,
    dims: model.dimensions,
    async embed(texts, options) {
      const vectors: (readonly number[] | Float32Array)[] = [];
      // Servers refuse empty texts and broken characters.
      const sent = texts.map((text) => wellFormed(text) || " ");
      for (const batch of batchesOf(sent, maxBatch, model.maxCharacters ?? Number.POSITIVE_INFINITY)) {
        const answer = await withRetries(batch, options?.signal);
        tell(batch.length, answer.tokens);
        checkAnswer(answer, batch.length, model);
        vectors.push(...answer.vectors);
      }
      return vectors;
    },
  };
}

/** How long to wait, in milliseconds; `undefined` when another attempt cannot help. */
function delayAfter(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof ModelError) || !error.retryable) return undefined;
  const delay = error.retryAfterMs ?? firstDelayMs * 2 ** attempt;
  return delay <= longestDelayMs ? delay : undefined;
}

async function pause(ms: number, model: EmbeddingModel, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    if (signal?.aborted === true) wake();
    else signal?.addEventListener("abort", wake, { once: true });
  });
  if (signal?.aborted !== true) return;
  throw new ModelAbortedError(`The call to ${model.modelId} was aborted.`, {
    provider: model.provider,
    model: model.modelId,
    cause: signal.reason,
  });
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
