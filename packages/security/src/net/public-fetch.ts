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

type Addresses = readonly { readonly address: string; readonly family: number }[];

/**
 * Makes the check of an address that others name: the addresses behind it, all of which may be requested; `undefined`
 * if the operator chose it, in `allowHosts` or as the server.
 */
function addressCheck({
  allowHosts = [],
  namedBy,
}: Pick<GuardedFetchOptions, "allowHosts" | "namedBy">): (url: URL) => Promise<Addresses | undefined> {
  const server = namedBy === undefined ? undefined : new URL(namedBy);
  const isServerLoopback = server !== undefined && isLoopbackName(server.hostname);
  return async (url) => {
    checkUrl(url);
    if (url.origin === server?.origin || hostIsListed(url, allowHosts)) return undefined;
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
}

/**
 * Refuses an address that `guardedFetch` with the same options would refuse, for an address that is not requested here:
 * a page that a person opens in a browser.
 *
 * @param url - The address.
 * @param options - The server that names it, and the hosts that the operator allows.
 * @throws EgressDeniedError `EGRESS_DENIED`
 * @example
 * ```ts
 * import { checkNamedAddress } from "@bailiwick/security/net";
 *
 * const page = new URL("file:///etc/passwd");
 * await checkNamedAddress(page, { namedBy: "https://tracker.example/mcp" }).catch((error: Error) =>
 *   console.log(error.message),
 * );
 * ```
 */
export async function checkNamedAddress(
  url: URL,
  options: Pick<GuardedFetchOptions, "allowHosts" | "namedBy">,
): Promise<void> {
  await addressCheck(options)(url);
}

/**
 * Makes the `fetch` of `guardedFetch`.
 *
 * @param options - The same as those of `guardedFetch`.
 */
export function publicFetch({
  maxRedirects = redirectLimit,
  fetch: send = globalThis.fetch,
  ...named
}: GuardedFetchOptions): typeof fetch {
  const check = addressCheck(named);
  const visit = async (url: URL, init: RequestInit): Promise<Response> => {
    const addresses = await check(url);
    if (addresses === undefined) return send(url, init);
    // Headers and bytes as the platform would send them.
    const request = new Request(url, { ...init, redirect: "manual" });
    const { method, headers } = request;
    const body = request.body === null ? null : await request.arrayBuffer();
    return pinnedFetch(url, { method, headers, body, signal: init.signal ?? request.signal }, addresses);
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
