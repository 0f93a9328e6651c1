import type * as Dns from "node:dns/promises";

import { EgressDeniedError } from "./egress-denied.ts";
import { firstHop } from "./first-hop.ts";
import type { RequestBody } from "./first-hop.ts";
import { followRedirect } from "./follow-redirect.ts";
import type { GuardedFetchOptions } from "./guarded-fetch-options.ts";
import { hostIsListed } from "./host-list.ts";
import { nodeModule } from "./node-module.ts";
import { pinnedFetch } from "./pinned-fetch.ts";
import { isLoopbackAddress, isPublicAddress } from "./public-address.ts";

/** Redirects that are followed by default. */
const redirectLimit = 5;

/**
 * Makes the `fetch` of `guardedFetch`.
 *
 * @param options - The same as those of `guardedFetch`.
 */
export function publicFetch({
  allowHosts = [],
  maxRedirects = redirectLimit,
  namedBy,
  fetch: send = globalThis.fetch,
}: GuardedFetchOptions): typeof fetch {
  const server = namedBy === undefined ? undefined : new URL(namedBy);
  const isServerLoopback = server !== undefined && isLoopbackName(server.hostname);
  /** Addresses of a name, all of which may be requested. */
  const addressesOf = async (url: URL): Promise<readonly { readonly address: string; readonly family: number }[]> => {
    const { lookup } = nodeModule<typeof Dns>("node:dns/promises", "guardedFetch");
    const addresses = await lookup(url.hostname.replace(/^\[|\]$/g, ""), { all: true });
    if (addresses.length === 0) throw new EgressDeniedError(url.origin, "the name has no address");
    if (isServerLoopback && addresses.every(({ address }) => isLoopbackAddress(address))) return addresses;
    const refused = addresses.find(({ address }) => !isPublicAddress(address));
    if (refused) throw new EgressDeniedError(url.origin, `${refused.address} is not a public address`);
    if (server !== undefined && url.protocol !== "https:")
      throw new EgressDeniedError(
        url.origin,
        `${server.origin} named it, and an address that a server names must use https`,
      );
    return addresses;
  };
  const visit = async (url: URL, init: RequestInit): Promise<Response> => {
    checkUrl(url);
    if (url.origin === server?.origin || hostIsListed(url, allowHosts)) return send(url, init);
    // Headers and bytes as the platform would send them.
    const request = new Request(url, { ...init, redirect: "manual" });
    const { method, headers } = request;
    const body = request.body === null ? null : await request.arrayBuffer();
    return pinnedFetch(url, { method, headers, body, signal: init.signal ?? request.signal }, await addressesOf(url));
  };

  return async (input, init) => {
    const { hop: first, options, redirect, signal } = await firstHop(input, init);
    const duplex = first.body instanceof ReadableStream ? ({ duplex: "half" } as const) : undefined;
    let hop: typeof first = first;
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      const { url, method, headers, body } = hop;
      const sent = { method, headers, signal, ...(body !== null && { body: body as NonNullable<RequestBody> }) };
      const response = await visit(url, {
        ...options,
        ...sent,
        ...duplex,
        redirect: redirect === "follow" ? "manual" : redirect,
      });
      const next = redirect === "follow" ? followRedirect(hop, response) : undefined;
      if (next === undefined) return response;
      await response.body?.cancel();
      hop = next;
    }
    throw new EgressDeniedError(hop.url.href, `more than ${maxRedirects} redirects`);
  };
}

function checkUrl(url: URL): void {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new EgressDeniedError(url.href, `"${url.protocol}" is not http or https`);
  if (url.username !== "" || url.password !== "")
    throw new EgressDeniedError(url.origin, "the URL carries credentials");
}

/** True if a host name always means this machine, without a lookup. */
function isLoopbackName(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?$/u.test(hostname);
}
