import type { ModelProvider, ModelResponse, StreamChunk } from "@bailiwick/core";
import { anthropic, type AnthropicOptions } from "./index.ts";

/** How the bytes of an answer arrive. */
export interface Arrival {
  /** Offsets at which they are split. */
  readonly splitAt?: readonly number[];
  /** Whether the connection breaks at the end. */
  readonly broken?: boolean;
}

/**
 * A model whose `fetch` answers with given bytes: what a server cannot do fast enough to try every place.
 *
 * @param modelId - The model.
 * @param options - Of the model.
 * @param bytes - The body.
 * @param arrival - How it arrives.
 * @param sent - Takes the bodies that were sent.
 * @param headers - Takes their headers.
 */
export function replaying(
  modelId: string,
  options: AnthropicOptions,
  bytes: Uint8Array,
  arrival: Arrival = {},
  sent: unknown[] = [],
  headers: Headers[] = [],
): ModelProvider {
  return anthropic(modelId, {
    ...options,
    apiKey: "sk-test-0123456789",
    baseURL: options.baseURL ?? "http://127.0.0.1:1",
    fetch: async (_url, init) => {
      sent.push(JSON.parse(init?.body as string));
      headers.push(new Headers(init?.headers));
      const offsets = [0, ...(arrival.splitAt ?? []), bytes.length];
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const [index, from] of offsets.entries()) {
            const to = offsets[index + 1];
            if (to !== undefined && to > from) controller.enqueue(bytes.subarray(from, to));
          }
          if (arrival.broken === true) controller.error(new TypeError("terminated"));
          else controller.close();
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  });
}

/** What a stream gave. */
export interface Drained {
  readonly chunks: StreamChunk[];
  readonly error: unknown;
}

/** Everything that a stream gives, with what it threw. */
export async function drain(stream: AsyncIterable<StreamChunk>): Promise<Drained> {
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
  const frame = (event: object): string =>
    `event: ${String((event as { type?: unknown }).type)}\ndata: ${JSON.stringify(event)}\n\n`;
  return new TextEncoder().encode(events.map(frame).join(""));
}

/** A value deep in JSON. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown> | undefined)?.[step], value);
}

/** A list deep in JSON. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): Record<string, unknown>[] {
  return at(value, ...path) as Record<string, unknown>[];
}
