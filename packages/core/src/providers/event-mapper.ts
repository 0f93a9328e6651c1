import type { StreamChunk } from "../contracts/stream-chunk.ts";

/**
 * Receives the chunks of an event.
 *
 * @param chunk - The next chunk of the answer.
 */
export type EmitChunk = (chunk: StreamChunk) => void;

/** Turns a vendor's events into chunks; one for each streamed answer. */
export interface EventMapper {
  /**
   * Maps one event.
   *
   * @param data - Its data, as text.
   * @param emit - Receives the chunks of this event.
   * @returns True if the answer is complete: later data is not read.
   * @throws ModelError when the event is an error.
   */
  event(data: string, emit: EmitChunk): boolean;
  /**
   * The body ended before {@link EventMapper.event} said so.
   *
   * @param stray - Text in the body that was not an event.
   * @param emit - Receives the last chunks.
   * @throws ModelError unless the answer is complete anyway.
   */
  end(stray: string, emit: EmitChunk): void;
  /**
   * Returns the error to throw when the stream breaks, with the partial answer.
   *
   * @param error - The error that broke the stream.
   * @param aborted - True if the request's signal caused it.
   */
  failure(error: unknown, aborted: boolean): Error;
}
