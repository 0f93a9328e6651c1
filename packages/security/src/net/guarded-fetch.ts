import { lazyPart } from "@bailiwick/core";

/** What looks at addresses: a program may offer a guarded `fetch` and never use it. */
const sending = lazyPart("The guard of requests", () => import("./public-fetch.ts"));

/** What `guardedFetch` allows. */
export interface GuardedFetchOptions {
  /** Hosts that are allowed although they are not public, as `127.0.0.1:4310` or `intranet.example`. Default none. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Redirects that are followed; default 5. */
  readonly maxRedirects?: number | undefined;
}

/**
 * Makes a `fetch` for URLs from sources that are not trusted: only http and https, only public addresses. The name is
 * resolved once, checked, and the connection is made to that very address; each redirect is checked the same way.
 *
 * @param options - What is allowed besides.
 * @throws EgressDenied `EGRESS_DENIED`, and PartUnavailable `PART_UNAVAILABLE`, before anything is sent.
 *
 * @example
 * ```ts
 * import { guardedFetch } from "@bailiwick/security";
 *
 * const fetchPublic = guardedFetch();
 * await fetchPublic("http://169.254.169.254/latest").catch((error: Error) => console.log(error.message));
 * ```
 */
export function guardedFetch({ allowHosts, maxRedirects }: GuardedFetchOptions = {}): typeof fetch {
  const allowed = new Set(allowHosts);
  return async (input, init) => sending(({ publicFetch }) => publicFetch(allowed, maxRedirects)(input, init));
}
