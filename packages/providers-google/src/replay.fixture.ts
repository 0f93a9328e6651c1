import type { ModelProvider } from "@bailiwick/core";
import { answeringFetch, jsonAt, type Arrival, type FetchedRequest } from "@bailiwick/testing";
import { google, type GoogleOptions } from "./index.ts";

/** A request that was sent: address and content. */
export type Sent = FetchedRequest & { readonly body: Record<string, unknown> };

/**
 * A model whose `fetch` answers with given bytes, to test every split, faster than a server could.
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
  const send = answeringFetch(bytes, arrival);
  return google(modelId, {
    apiKey: "test-0123456789",
    baseURL: "http://127.0.0.1:1",
    fetch: (...given) => {
      const answer = send(...given);
      sent.push(send.requests.at(-1) as Sent);
      return answer;
    },
    ...options,
  });
}

/** Events as the vendor frames them. */
export function framed(events: readonly object[]): Uint8Array {
  return new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(""));
}

/** A body that is not streamed. */
export function whole(body: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(body));
}

/** A nested list in JSON. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): Record<string, unknown>[] {
  return jsonAt(value, ...path) as Record<string, unknown>[];
}
