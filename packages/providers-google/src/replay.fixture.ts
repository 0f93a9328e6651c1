import type { ModelProvider, ModelResponse, StreamChunk } from "@bailiwick/core";
import { google, type GoogleOptions } from "./index.ts";

/** How the bytes of an answer arrive. */
export interface Arrival {
  /** Offsets at which they are split. */
  readonly splitAt?: readonly number[];
  /** Whether the connection breaks at the end. */
  readonly broken?: boolean;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that was sent: where to, with what. */
export interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/**
 * A model whose `fetch` answers with given bytes: what a server cannot do fast enough to try every place.
 *
 * @param modelId - The model.
 * @param bytes - The body.
 * @param arrival - How it arrives.
 * @param sent - Takes what was sent.
 * @param options - Of the model.
 */
export function replaying(
  modelId: string,
  bytes: Uint8Array,
  arrival: Arrival = {},
  sent: Sent[] = [],
  options: GoogleOptions = {},
): ModelProvider {
  return google(modelId, {
    apiKey: "test-0123456789",
    baseURL: "http://127.0.0.1:1",
    fetch: async (input, init) => {
      sent.push({
        url: input as string,
        headers: new Headers(init?.headers),
        body: JSON.parse(init?.body as string) as Record<string, unknown>,
      });
      const offsets = [0, ...(arrival.splitAt ?? []), bytes.length];
      let piece = 0;
      const body = new ReadableStream<Uint8Array>({
        // Piece by piece: an error takes back what was enqueued before it.
        pull(controller) {
          const [from = 0, to] = offsets.slice(piece, piece + 2);
          piece += 1;
          if (to !== undefined && to > from) controller.enqueue(bytes.subarray(from, to));
          else if (arrival.broken === true) controller.error(new TypeError("terminated"));
          else controller.close();
        },
      });
      return new Response(body, {
        status: arrival.status ?? 200,
        headers: { "content-type": "text/event-stream", ...arrival.headers },
      });
    },
    ...options,
  });
}

/** Everything that a stream gives, with what it threw. */
export async function drain(stream: AsyncIterable<StreamChunk>): Promise<{ chunks: StreamChunk[]; error: unknown }> {
  const chunks: StreamChunk[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch (error) {
    return { chunks, error };
  }
  return { chunks, error: undefined };
}

/** The answer that a stream ends with. */
export function finished(chunks: readonly StreamChunk[]): ModelResponse {
  const last = chunks.at(-1);
  if (last?.type !== "finish") throw new Error(`The stream ended with ${last?.type ?? "nothing"}.`);
  return last.response;
}

/** Events as the vendor frames them. */
export function framed(events: readonly object[]): Uint8Array {
  return new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(""));
}

/** A body that is not streamed. */
export function whole(body: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(body));
}

/** A value deep in JSON. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown> | undefined)?.[step], value);
}

/** A list deep in JSON. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): Record<string, unknown>[] {
  return at(value, ...path) as Record<string, unknown>[];
}
