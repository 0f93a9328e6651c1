import type { Backoff } from "./backoff.ts";
import { pause } from "./backoff.ts";
import { eventBlocks } from "./event-blocks.ts";
import type { EventBlocks } from "./event-blocks.ts";
import { requestIdIn } from "./own-answers.ts";

type Fetch = typeof globalThis.fetch;

/** Settings of resumed streams. */
export interface Resuming {
  /** Sends the requests of the protocol's client. */
  readonly fetch: Fetch;
  /** Sends the request that resumes a stream, with the current credentials. */
  readonly resume: Fetch;
  readonly backoff: Backoff;
  /** Waits before a stream is opened again. Default: with a timer. */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** Headers of the first request, which a resumption repeats. */
const repeated = ["authorization", "mcp-session-id", "mcp-protocol-version"];

/**
 * Creates a `fetch` whose event streams continue when they break: the answer to a call from the last event that
 * arrived, a server's own stream from the start. Each stream has its own attempts, which start again with each message,
 * and waits as long as its server requests with `retry`, else longer each time. A stream without attempts left ends,
 * and the call that it should have answered fails.
 */
export function resumingFetch(resuming: Resuming): Fetch {
  return async (input, init) => {
    const response = await resuming.fetch(input, init);
    const { body } = response;
    const method = (init?.method ?? "GET").toUpperCase();
    const isStream = (response.headers.get("content-type") ?? "").startsWith("text/event-stream");
    if (!response.ok || body === null || !isStream || (method !== "GET" && method !== "POST")) return response;
    const requestId = method === "POST" ? requestIdIn(init?.body) : undefined;
    const stream = { url: input, headers: new Headers(init?.headers), isOwn: method === "GET" };
    const stop = new AbortController();
    const signal = init?.signal ? AbortSignal.any([init.signal, stop.signal]) : stop.signal;
    const pieces = continued(resuming, { ...stream, events: eventBlocks(requestId), body, signal });
    return new Response(bodyOf(pieces, stop), { status: response.status, headers: response.headers });
  };
}

interface OpenStream {
  readonly url: Parameters<Fetch>[0];
  readonly headers: Headers;
  /** True for the stream of a server's own messages. */
  readonly isOwn: boolean;
  readonly events: EventBlocks;
  readonly body: ReadableStream<Uint8Array>;
  readonly signal: AbortSignal;
}

// The events of a stream and of those that continue it.
async function* continued(resuming: Resuming, stream: OpenStream): AsyncGenerator<Uint8Array> {
  const { events, signal, isOwn } = stream;
  const { backoff, wait = pause } = resuming;
  const encoder = new TextEncoder();
  let body: ReadableStream<Uint8Array> | undefined = stream.body;
  let attempts = 0;
  while (body !== undefined) {
    const before = events.messages;
    try {
      for await (const bytes of untilAborted(body, signal)) {
        const complete = events.push(bytes);
        if (complete !== "") yield encoder.encode(complete);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!isOwn && events.lastId === undefined) throw error;
    }
    if (events.messages > before) attempts = 0;
    body = undefined;
    const isWanted = isOwn || (!events.isAnswered && events.lastId !== undefined);
    while (isWanted && body === undefined && attempts < backoff.maxAttempts) {
      attempts += 1;
      // The stream was open already, so each of these is a further attempt.
      await wait(events.retryMs ?? backoff.delayBefore(attempts + 1), signal);
      const opened = await openAgain(resuming, stream);
      if (opened === "refused") return;
      body = opened;
    }
  }
}

/** Opens a stream again; `undefined` if another attempt may succeed. */
async function openAgain(
  { resume }: Resuming,
  { url, headers, events, signal }: OpenStream,
): Promise<ReadableStream<Uint8Array> | "refused" | undefined> {
  events.drop();
  const again = new Headers({ accept: "text/event-stream" });
  for (const name of repeated) {
    const value = headers.get(name);
    if (value !== null) again.set(name, value);
  }
  if (events.lastId !== undefined) again.set("last-event-id", events.lastId);
  try {
    const response = await resume(url, { method: "GET", headers: again, signal });
    if (response.ok && response.body !== null) return response.body;
    await response.body?.cancel();
    // A server that has neither the session nor the stream will not find it later; an overloaded server may recover.
    return response.status >= 500 || response.status === 429 ? undefined : "refused";
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

// The pieces of a body; a pending read ends with the signal.
async function* untilAborted(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const stop = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function bodyOf(pieces: AsyncGenerator<Uint8Array>, stop: AbortController): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      }
    },
    async cancel() {
      stop.abort();
      await pieces.return(undefined);
    },
  });
}
