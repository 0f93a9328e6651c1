import { ConfigurationError } from "@bailiwick/core/provider";
import type { ModelRequest } from "@bailiwick/core/provider";
import type { AiSdkModel, AiSdkSource } from "./ai-sdk-model.ts";

/** The model of one call. */
export interface Connected {
  readonly model: AiSdkModel;
  /** The key of its last request, so that it can be removed from messages; `undefined` if it is not visible. */
  readonly key: () => string | undefined;
}

/** Makes or returns the model of a call. */
export type Connect = (request: Pick<ModelRequest, "fetch" | "apiKey">) => Connected;

/** Headers in which vendors expect keys. */
const keyHeaders = ["authorization", "x-api-key", "x-goog-api-key", "api-key"];

/**
 * The model of each call: the given one, or one made for the call's key and HTTP client.
 *
 * @param source - A model, or a function that makes it.
 * @param first - The model that was made at the beginning.
 */
export function connector(source: AiSdkSource, first: AiSdkModel): Connect {
  if (typeof source !== "function") {
    const own: Connected = { model: first, key: () => undefined };
    return ({ apiKey }) => {
      if (apiKey === undefined) return own;
      throw new ConfigurationError(
        "INVALID_OPTION",
        `The key of a call cannot reach ${first.modelId}: the model was made with its own. Pass a function: aiSdk((connection) => createProvider(connection)("${first.modelId}")).`,
      );
    };
  }
  const made = new WeakMap<typeof fetch, Connected>();
  const make = (fetch: typeof globalThis.fetch, apiKey: string | undefined): Connected => {
    let key = apiKey;
    const watched: typeof globalThis.fetch = (input, init) => {
      const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
      const value = keyHeaders.map((name) => headers.get(name)).find((header) => header !== null);
      key = value?.replace(/^bearer\s+/i, "") ?? key;
      return fetch(input, init);
    };
    return { model: source({ fetch: watched, ...(apiKey === undefined ? {} : { apiKey }) }), key: () => key };
  };
  return ({ apiKey, fetch = globalThis.fetch }) => {
    if (apiKey !== undefined) return make(fetch, apiKey);
    const known = made.get(fetch) ?? make(fetch, undefined);
    made.set(fetch, known);
    return known;
  };
}
