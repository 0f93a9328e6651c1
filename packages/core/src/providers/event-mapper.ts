import type { StreamChunk } from "../contracts/stream-chunk.ts";

/** Takes the chunks that an event makes. */
export type EmitChunk = (chunk: StreamChunk) => void;

/** Turns a vendor's events into chunks; one for each streamed answer. */
export interface EventMapper {
  /**
   * Maps one event.
   *
   * @param data - Its data, as text.
   * @returns Whether the answer is complete: what follows is not read.
   * @throws ModelError when the event is an error.
   */
  event(data: string, emit: EmitChunk): boolean;
  /**
   * The body ended before {@link EventMapper.event} said so.
   *
   * @param stray - Text in the body that was not an event.
   * @throws ModelError unless the answer can be called complete all the same.
   */
  end(stray: string, emit: EmitChunk): void;
  /**
   * Returns the error to throw when the stream breaks, with the partial answer.
   *
   * @param aborted - Whether the request's signal did it.
   */
  failure(error: unknown, aborted: boolean): Error;
}
