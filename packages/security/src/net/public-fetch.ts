import type * as Dns from "node:dns/promises";

import { EgressDenied } from "./egress-denied.ts";
import { followRedirect } from "./follow-redirect.ts";
import type { Hop } from "./follow-redirect.ts";
import { nodeModule } from "./node-module.ts";
import { pinnedFetch } from "./pinned-fetch.ts";
import type { PinnedInit } from "./pinned-fetch.ts";
import { isPublicAddress } from "./public-address.ts";

/** Redirects that are followed where nothing is said. */
const redirectLimit = 5;

/**
 * Makes the `fetch` of `guardedFetch`.
 *
 * @param allowed - Hosts that are allowed although they are not public.
 * @param maxRedirects - Redirects that are followed.
 */
export function publicFetch(allowed: ReadonlySet<string>, maxRedirects: number = redirectLimit): typeof fetch {
  const visit = async (url: URL, init: PinnedInit): Promise<Response> => {
    checkUrl(url);
    if (allowed.has(url.host) || allowed.has(url.hostname)) return fetch(url, init);
    const { lookup } = nodeModule<typeof Dns>("node:dns/promises", "guardedFetch");
    const hostname = url.hostname.replace(/^\[|\]$/g, "");
    const addresses = await lookup(hostname, { all: true });
    const refused = addresses.find(({ address }) => !isPublicAddress(address));
    if (refused) throw new EgressDenied(url.origin, `${refused.address} is not a public address`);
    if (addresses.length === 0) throw new EgressDenied(url.origin, "the name has no address");
    return pinnedFetch(url, init, addresses);
  };

  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    checkUrl(url);
    const request = new Request(input, init);
    const { method, signal } = request;
    const body = method === "GET" || method === "HEAD" ? null : await request.arrayBuffer();
    let hop: Hop<ArrayBuffer> = { url, method, headers: new Headers(request.headers), body };
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      const { url: target, ...rest } = hop;
      const response = await visit(target, { ...rest, redirect: "manual", signal });
      const next = request.redirect === "follow" ? followRedirect(hop, response) : undefined;
      if (next === undefined) return response;
      await response.body?.cancel();
      hop = next;
    }
    throw new EgressDenied(hop.url.href, `more than ${maxRedirects} redirects`);
  };
}

function checkUrl(url: URL): void {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new EgressDenied(url.href, `"${url.protocol}" is not http or https`);
  if (url.username !== "" || url.password !== "") throw new EgressDenied(url.origin, "the URL carries credentials");
}
