import { guardedFetch } from "@bailiwick/security";
import type { McpHttpOptions } from "./options.ts";

type Fetch = typeof globalThis.fetch;

/**
 * Makes the `fetch` for a server and for every address that it names: metadata, authorization servers, registration and
 * token endpoints, redirects. Only the operator can allow an address that is not public. The operator's headers, such
 * as an API key, are sent to the server's own origin alone.
 */
export function serverFetch({ url, fetch, allowHosts, headers = {} }: McpHttpOptions): Fetch {
  const { origin } = new URL(url);
  const send: Fetch = (input, init) => {
    const sender = fetch ?? globalThis.fetch;
    if (new URL(input instanceof Request ? input.url : input).origin !== origin) return sender(input, init);
    const all = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    return sender(input, { ...init, headers: all });
  };
  return guardedFetch({ namedBy: url, allowHosts, fetch: send });
}
