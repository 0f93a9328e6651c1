import type { ModelProvider } from "@bailiwick/core";
import { answeringFetch, jsonAt, type Arrival } from "@bailiwick/testing";
import { anthropic, type AnthropicOptions } from "./index.ts";

/**
 * A model whose `fetch` answers with given bytes, to test every split, faster than a server could.
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
  const send = answeringFetch(bytes, arrival);
  return anthropic(modelId, {
    ...options,
    apiKey: "sk-test-0123456789",
    baseURL: options.baseURL ?? "http://127.0.0.1:1",
    fetch: (...given) => {
      const answer = send(...given);
      const request = send.requests.at(-1);
      sent.push(request?.body);
      if (request !== undefined) headers.push(request.headers);
      return answer;
    },
  });
}

/** Events as the vendor frames them. */
export function framed(events: readonly object[]): Uint8Array {
  const frame = (event: object): string =>
    `event: ${String((event as { type?: unknown }).type)}\ndata: ${JSON.stringify(event)}\n\n`;
  return new TextEncoder().encode(events.map(frame).join(""));
}

/** A nested list in JSON. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): Record<string, unknown>[] {
  return jsonAt(value, ...path) as Record<string, unknown>[];
}
