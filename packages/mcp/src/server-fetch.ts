import { BailiwickError } from "@bailiwick/core";
import { guardedFetch } from "@bailiwick/security";
import { boundedAnswer } from "./bounded-answer.ts";
import type { McpHttpOptions } from "./options.ts";
import { reasonOf } from "./reason.ts";

type Fetch = typeof globalThis.fetch;

/**
 * Makes the `fetch` for a server and for every address that it names: metadata, authorization servers, registration and
 * token endpoints, redirects. Only the operator can allow an address that is not public. The operator's headers, such
 * as an API key, are sent to the server's own origin alone.
 *
 * @param options - The server.
 * @param closed - Ends the requests that still run when it is aborted: the protocol's client gives up on metadata
 *   without ending its request.
 */
export function serverFetch({ url, fetch, allowHosts, headers = {} }: McpHttpOptions, closed: AbortSignal): Fetch {
  const { origin } = new URL(url);
  const sender = fetch === undefined ? globalThis.fetch : likeThePlatform(fetch);
  const send: Fetch = (input, init) => {
    if (new URL(input instanceof Request ? input.url : input).origin !== origin) return sender(input, init);
    const all = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    return sender(input, { ...init, headers: all });
  };
  const guarded = guardedFetch({ namedBy: url, allowHosts, fetch: send });
  return async (input, init) => {
    const given = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const signal = given === undefined ? closed : AbortSignal.any([given, closed]);
    const asked = new URL(input instanceof Request ? input.url : input);
    return boundedAnswer(await guarded(input, { ...init, signal }), asked.origin);
  };
}

/**
 * A developer's `fetch` that fails as the platform's does, with a TypeError, whatever it throws or returns: the
 * protocol's client takes other failures for an answer of the server.
 */
function likeThePlatform(fetch: Fetch): Fetch {
  return async (input, init) => {
    try {
      const response = await fetch(input, init);
      // The response of another library is not an instance of the platform's class.
      if (typeof response.status === "number" && typeof response.headers.get === "function") return response;
      throw new TypeError('"fetch" returned something else than a Response');
    } catch (error) {
      init?.signal?.throwIfAborted();
      if (error instanceof TypeError || BailiwickError.isInstance(error)) throw error;
      throw new TypeError(`"fetch" failed: ${reasonOf(error)}`, { cause: error });
    }
  };
}
