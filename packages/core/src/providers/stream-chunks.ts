import type { ChunkStream, StreamChunk } from "../contracts/stream-chunk.ts";
import type { EventMapper } from "./event-mapper.ts";
import { isPage, PageError } from "./answer-json.ts";
import { linkSignal } from "./link-signal.ts";
import { createEventDecoder } from "./server-sent-events.ts";
import { wholeCharacters } from "./whole-characters.ts";

/** The bytes of a body: a web stream, or plain chunks if `fetch` offers them. */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * The body of a streamed answer, undecoded.
 *
 * @param response - The answer.
 */
export function bodyBytes(response: Response & { bodyChunks?: () => AsyncIterable<Uint8Array> }): ByteStream {
  // A lean fetch offers the chunks directly, without a web stream.
  return response.bodyChunks?.() ?? response.body ?? new Blob([]).stream();
}

/** One streamed answer. */
export interface ChunkSource {
  /** Sends the request; the controller cancels it. */
  readonly open: (controller: AbortController) => Promise<ByteStream>;
  /** Returns a new mapper, which turns the vendor's chunks into events. */
  readonly mapper: () => EventMapper;
  /** Cancels the request. */
  readonly signal?: AbortSignal | undefined;
}

/** Time to wait for the end of a body after its last event, in milliseconds, so that the connection is reused. */
const drainMs = 1000;

/**
 * An event stream as chunks. Each iteration sends the request again; ending it early cancels the request. Written by
 * hand because an async generator costs several promises for each chunk.
 *
 * @param source - The request and how to read its answer.
 */
export function streamChunks(source: ChunkSource): Required<ChunkStream> {
  return {
    batches: () => ({ [Symbol.asyncIterator]: () => readBatches(source) }),
    [Symbol.asyncIterator]: () => oneByOne(readBatches(source)),
  };
}

type BatchIterator = Required<Pick<AsyncIterator<readonly StreamChunk[]>, "next" | "return">>;

function oneByOne(batches: BatchIterator): AsyncIterator<StreamChunk> {
  const waiting: StreamChunk[] = [];
  return {
    async next() {
      while (waiting.length === 0) {
        const { done, value } = await batches.next();
        if (done !== true) waiting.push(...value);
        // Another consumer that waited at the same time may have brought some.
        else if (waiting.length === 0) return { done, value: undefined };
      }
      return { done: false, value: waiting.shift() as StreamChunk };
    },
    async return() {
      waiting.length = 0;
      await batches.return();
      return { done: true, value: undefined };
    },
  };
}

/** Reads the pieces of the body in batches; the chunks before a failure come before it. */
function readBatches(source: ChunkSource): BatchIterator {
  const link = linkSignal(source.signal);
  const mapper = source.mapper();
  const decoder = createEventDecoder();
  let reader: ByteReader | undefined;
  let batch: StreamChunk[] = [];
  let begun = false;
  let ended = false;
  let failed: Error | undefined;
  let filling: Promise<void> | undefined;
  const emit = wholeCharacters((chunk) => {
    batch.push(chunk);
  });

  const stop = (): void => {
    ended = true;
    link.release();
  };

  const take = async (): Promise<void> => {
    reader ??= readerOf(await source.open(link.controller));
    const { done, value } = await reader.read();
    const { events, stray } = value === undefined ? decoder.end() : { events: decoder.push(value), stray: "" };
    if (!begun && isPage(events[0] ?? stray)) throw new PageError("it is an HTML page");
    begun ||= events.length > 0;
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
    try {
      while (batch.length === 0 && !ended) await take();
    } catch (error) {
      failed = mapper.failure(error, source.signal?.aborted === true);
      stop();
      link.controller.abort();
      void reader?.cancel().catch(() => undefined);
    }
  };

  return {
    async next() {
      while (batch.length === 0 && !ended) {
        filling ??= fill().finally(() => {
          filling = undefined;
        });
        await filling;
      }
      if (batch.length > 0) {
        const value = batch;
        batch = [];
        return { done: false, value };
      }
      if (failed !== undefined) {
        const error = failed;
        failed = undefined;
        throw error;
      }
      return { done: true, value: undefined };
    },
    async return() {
      if (!ended) {
        stop();
        link.controller.abort();
        await reader?.cancel().catch(() => undefined);
      }
      batch = [];
      failed = undefined;
      return { done: true, value: undefined };
    },
  };
}

/** The part of a body's reader that is used here. */
interface ByteReader {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<unknown>;
}

function readerOf(body: ByteStream): ByteReader {
  if ("getReader" in body) return body.getReader();
  const iterator = body[Symbol.asyncIterator]();
  return { read: () => iterator.next(), cancel: () => iterator.return?.() ?? Promise.resolve() };
}

/** Reads a body to its end, for a limited time: then the connection can serve the next request. */
async function drain(reader: ByteReader, controller: AbortController): Promise<void> {
  const timer = setTimeout(() => controller.abort(), drainMs);
  try {
    while ((await reader.read()).done !== true);
  } catch {
    // The answer is complete; the end of its connection does not matter.
  } finally {
    clearTimeout(timer);
  }
}
