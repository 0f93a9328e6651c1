import { firstHop } from "../net/first-hop.ts";
import type { RequestBody } from "../net/first-hop.ts";
import { followRedirect } from "../net/follow-redirect.ts";
import type { Hop } from "../net/follow-redirect.ts";
import { hostIsListed } from "../net/host-list.ts";
import { SecretHostDeniedError } from "./secret-errors.ts";

/** A secret as the egress knows it. */
export interface EgressSecret {
  /** Name of the secret. */
  readonly name: string;
  /** The placeholder that requests have in place of the value. */
  readonly marker: string;
  /** The value that replaces the placeholder. */
  readonly value: string;
  /** Hosts it may be sent to, as `api.example.com` or `*.example.com`. */
  readonly hosts: readonly string[];
}

const redirectLimit = 10;

function substitute(text: string, url: URL, secrets: readonly EgressSecret[]): string {
  let result = text;
  for (const secret of secrets) {
    if (!result.includes(secret.marker)) continue;
    if (!hostIsListed(url, secret.hosts)) throw new SecretHostDeniedError(secret.name, url.host, secret.hosts);
    // A replacer function: in a replacement string, "$&" and similar patterns would insert parts of the request.
    result = result.replaceAll(secret.marker, () => secret.value);
  }
  return result;
}

/**
 * Refuses a request with a secret that another host than its URL's could answer, or that continues without encryption:
 * a shared proxy routes by the `host` header, and a redirect may leave https.
 *
 * @throws SecretHostDeniedError
 */
function checkRoute(hop: Hop<RequestBody>, first: URL, secrets: readonly EgressSecret[]): void {
  const texts = [...hop.headers.values(), ...(typeof hop.body === "string" ? [hop.body] : [])];
  if (hop.body instanceof Uint8Array) texts.push(new TextDecoder().decode(hop.body));
  const sent = secrets.find(({ marker }) => texts.some((text) => text.includes(marker)));
  if (sent === undefined) return;
  const named = hop.headers.get("host")?.toLowerCase() ?? hop.url.host;
  if (named !== hop.url.host && named !== hop.url.hostname)
    throw new SecretHostDeniedError(sent.name, named, sent.hosts);
  if (first.protocol === "https:" && hop.url.protocol !== "https:")
    throw new SecretHostDeniedError(sent.name, hop.url.origin, sent.hosts);
}

/** Markers are in text; bytes without markers are sent unchanged. */
function substituteBody(body: RequestBody, url: URL, secrets: readonly EgressSecret[]): RequestBody {
  if (typeof body === "string") return substitute(body, url, secrets);
  if (!(body instanceof Uint8Array)) return body;
  const text = new TextDecoder().decode(body);
  return secrets.some(({ marker }) => text.includes(marker)) ? substitute(text, url, secrets) : body;
}

/**
 * Makes a `fetch` that replaces markers in headers and text bodies, for the bound hosts only. Redirects are followed
 * hop by hop and checked each time, so that a bound host cannot pass a secret on.
 *
 * @param known - The secrets of one tool call that were resolved so far.
 * @param send - The `fetch` that does the work.
 * @throws SecretHostDeniedError before anything is sent, when a marker goes to a host that is not bound.
 */
export function egressFetch(known: readonly EgressSecret[], send: typeof fetch = globalThis.fetch): typeof fetch {
  return async (input, init) => {
    const { hop: begun, options, redirect, signal } = await firstHop(input, init);
    let hop: typeof begun = begun;
    const first = hop.url;
    for (let hops = 0; hops <= redirectLimit; hops += 1) {
      const { url, body } = hop;
      checkRoute(hop, first, known);
      const headers = new Headers();
      for (const [name, value] of hop.headers) headers.append(name, substitute(value, url, known));
      const response = await send(url, {
        ...options,
        method: hop.method,
        headers,
        signal,
        redirect: redirect === "follow" ? "manual" : redirect,
        ...(body === undefined || body === null
          ? {}
          : { body: substituteBody(body, url, known) as NonNullable<RequestBody> }),
      });
      const next = redirect === "follow" ? followRedirect(hop, response) : undefined;
      if (next === undefined) return response;
      await response.body?.cancel();
      if (next.url.protocol !== "https:" && next.url.protocol !== "http:")
        throw new TypeError(`fetch failed: ${url.origin} redirects to "${next.url.protocol}".`);
      hop = next;
    }
    throw new TypeError(`fetch failed: more than ${redirectLimit} redirects, the last from ${hop.url.origin}.`);
  };
}
