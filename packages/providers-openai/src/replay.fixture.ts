import type { ModelProvider } from "@bailiwick/core";
import { answeringFetch, jsonAt, type Arrival } from "@bailiwick/testing";
import { openai, type OpenAIOptions } from "./index.ts";

/**
 * A model whose `fetch` answers with given bytes, to test every split, faster than a server could.
 *
 * @param modelId - The model.
 * @param options - Of the model.
 * @param bytes - The body.
 * @param arrival - How it arrives.
 * @param sent - Takes the bodies that were sent.
 */
export function replaying(
  modelId: string,
  options: OpenAIOptions,
  bytes: Uint8Array,
  arrival: Arrival = {},
  sent: unknown[] = [],
): ModelProvider {
  const send = answeringFetch(bytes, arrival);
  return openai(modelId, {
    ...options,
    apiKey: "sk-test-0123456789",
    baseURL: options.baseURL ?? "http://127.0.0.1:1/v1",
    fetch: (...given) => {
      const answer = send(...given);
      sent.push(send.requests.at(-1)?.body);
      return answer;
    },
  });
}

/** Events as the vendor frames them. */
export function framed(events: readonly (object | string)[]): Uint8Array {
  const text = events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`).join("");
  return new TextEncoder().encode(text);
}

/** A nested list in JSON. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): Record<string, unknown>[] {
  return jsonAt(value, ...path) as Record<string, unknown>[];
}
