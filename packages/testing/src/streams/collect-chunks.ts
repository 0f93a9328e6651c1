import { checkArgument, ConfigurationError } from "@bailiwick/core";
import type { ModelResponse, StreamChunk } from "@bailiwick/core";

/** The chunks and the end of a model's stream. */
export interface CollectedChunks {
  /** Chunks that arrived, in order. */
  readonly chunks: readonly StreamChunk[];
  /** The error after the chunks; `undefined` if the stream ended. */
  readonly error: unknown;
}

/**
 * All chunks of a model's stream, with its error: a test of a broken stream checks both.
 *
 * @param stream - Result of `model.stream`.
 * @example
 * ```ts
 * import { collectChunks, scriptedModel } from "@bailiwick/testing";
 *
 * const { chunks, error } = await collectChunks(scriptedModel(["Hello."]).stream({ messages: [] }));
 * console.log(chunks.length, error);
 * ```
 */
export async function collectChunks(stream: AsyncIterable<StreamChunk>): Promise<CollectedChunks> {
  const chunks: StreamChunk[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch (error) {
    return { chunks, error };
  }
  return { chunks, error: undefined };
}

/**
 * The answer that a complete stream ends with.
 *
 * @param chunks - All of its chunks.
 * @throws ConfigurationError `INVALID_OPTION` if it did not finish.
 * @example
 * ```ts
 * import { collectChunks, finishedResponse, scriptedModel } from "@bailiwick/testing";
 *
 * const { chunks } = await collectChunks(scriptedModel(["Hello."]).stream({ messages: [] }));
 * console.log(finishedResponse(chunks).message.content);
 * ```
 */
export function finishedResponse(chunks: readonly StreamChunk[]): ModelResponse {
  checkArgument(chunks, "array", "finishedResponse(chunks)");
  const last = chunks.at(-1);
  if (last?.type !== "finish")
    throw new ConfigurationError(
      "INVALID_OPTION",
      `The stream ended with ${last?.type ?? "nothing"}, not with a finish.`,
    );
  return last.response;
}
