import type { StreamChunk } from "../contracts/stream-chunk.ts";
import { linkSignal } from "./link-signal.ts";
import { createEventDecoder } from "./server-sent-events.ts";
import { wholeCharacters } from "./whole-characters.ts";

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
   * @param stray - Text in the body that was no event.
   * @throws ModelError unless the answer can be called complete all the same.
   */
  end(stray: string, emit: EmitChunk): void;
  /**
   * The error to throw for anything that broke the stream, with what had arrived.
   *
   * @param aborted - Whether the request's signal did it.
   */
  failure(error: unknown, aborted: boolean): Error;
}

/** The bytes of a body: a web stream, or plain chunks where `fetch` has them at hand. */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * The body of a streamed answer, undecoded.
 *
 * @param response - The answer.
 */
export function bodyBytes(response: Response & { bodyChunks?: () => AsyncIterable<Uint8Array> }): ByteStream {
  // A lean fetch has the chunks at hand, without a web stream between.
  return response.bodyChunks?.() ?? response.body ?? new Blob([]).stream();
}

/** One streamed answer. */
export interface ChunkSource {
  /** Sends the request; the controller cancels it. */
  readonly open: (controller: AbortController) => Promise<ByteStream>;
  readonly mapper: () => EventMapper;
  /** Cancels the request. */
  readonly signal?: AbortSignal | undefined;
}

/** How long the end of a body is waited for after its last event, in milliseconds, so that the connection is reused. */
const drainMs = 1000;

/**
 * An event stream as chunks. Each iteration sends the request anew; leaving it early cancels the request. Written by
 * hand because an async generator costs several promises for each chunk.
 *
 * @param source - The request and how to read its answer.
 */
export function streamChunks(source: ChunkSource): AsyncIterable<StreamChunk> {
  return { [Symbol.asyncIterator]: () => iterate(source) };
}

function iterate(source: ChunkSource): AsyncIterator<StreamChunk> {
  const link = linkSignal(source.signal);
  const mapper = source.mapper();
  const decoder = createEventDecoder();
  let reader: ByteReader | undefined;
  let queue: StreamChunk[] = [];
  let at = 0;
  let ended = false;
  let failed: Error | undefined;
  let filling: Promise<void> | undefined;
  const emit = wholeCharacters((chunk) => {
    queue.push(chunk);
  });

  const stop = (): void => {
    ended = true;
    link.release();
  };

  const take = async (): Promise<void> => {
    reader ??= readerOf(await source.open(link.controller));
    const { done, value } = await reader.read();
    const { events, stray } = value === undefined ? decoder.end() : { events: decoder.push(value), stray: "" };
    for (const data of events) {
      if (!mapper.event(data, emit)) continue;
      stop();
      if (done !== true) void drain(reader, link.controller);
      return;
    }
    if (done === true) {
      mapper.end(stray, emit);
      stop();
    }
  };

  const fill = async (): Promise<void> => {
    queue = [];
    at = 0;
    try {
      while (queue.length === 0 && !ended) await take();
    } catch (error) {
      failed = mapper.failure(error, source.signal?.aborted === true);
      stop();
      link.controller.abort();
      void reader?.cancel().catch(() => undefined);
    }
  };

  const next = (): Promise<IteratorResult<StreamChunk>> => {
    const chunk = queue[at];
    if (chunk !== undefined) {
      at += 1;
      return Promise.resolve({ done: false, value: chunk });
    }
    if (failed !== undefined) {
      const error = failed;
      failed = undefined;
      return Promise.reject(error);
    }
    if (ended) return Promise.resolve({ done: true, value: undefined });
    filling ??= fill().finally(() => {
      filling = undefined;
    });
    return filling.then(next);
  };

  return {
    next,
    async return() {
      if (!ended) {
        stop();
        link.controller.abort();
        await reader?.cancel().catch(() => undefined);
      }
      queue = [];
      failed = undefined;
      return { done: true, value: undefined };
    },
  };
}

/** The least that a body is read with. */
interface ByteReader {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<unknown>;
}

function readerOf(body: ByteStream): ByteReader {
  if ("getReader" in body) return body.getReader();
  const iterator = body[Symbol.asyncIterator]();
  return { read: () => iterator.next(), cancel: () => iterator.return?.() ?? Promise.resolve() };
}

/** Reads a body to its end, for a moment: then the connection can serve the next request. */
async function drain(reader: ByteReader, controller: AbortController): Promise<void> {
  const timer = setTimeout(() => controller.abort(), drainMs);
  try {
    while ((await reader.read()).done !== true);
  } catch {
    // The answer is complete; how its connection ends does not matter.
  } finally {
    clearTimeout(timer);
  }
}
