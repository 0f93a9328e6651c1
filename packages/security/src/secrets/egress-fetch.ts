import { SecretHostDenied } from "./secret-errors.ts";

/** A secret as the egress knows it. */
export interface EgressSecret {
  readonly name: string;
  readonly marker: string;
  readonly value: string;
  /** Hosts it may be sent to, as `api.example.com` or `*.example.com`. */
  readonly hosts: readonly string[];
}

const redirectLimit = 10;

function hostMatches(host: string, bound: string): boolean {
  return bound.startsWith("*.") ? host.endsWith(bound.slice(1)) && host.length > bound.length - 1 : host === bound;
}

function substitute(text: string, url: URL, secrets: readonly EgressSecret[]): string {
  let result = text;
  for (const secret of secrets) {
    if (!result.includes(secret.marker)) continue;
    const host = url.hostname.toLowerCase();
    if (
      !secret.hosts.some(
        (bound) => hostMatches(host, bound.toLowerCase()) || url.host.toLowerCase() === bound.toLowerCase(),
      )
    ) {
      throw new SecretHostDenied(secret.name, url.host, secret.hosts);
    }
    result = result.replaceAll(secret.marker, secret.value);
  }
  return result;
}

function redirected(response: Response, from: URL): URL | undefined {
  const location = response.headers.get("location");
  return response.status >= 300 && response.status < 400 && response.status !== 304 && location !== null
    ? new URL(location, from)
    : undefined;
}

/**
 * Makes a `fetch` that replaces markers in headers and text bodies, for the bound hosts only. Redirects are followed
 * hop by hop and checked each time, so that a bound host cannot pass a secret on.
 *
 * @param secrets - The secrets of one tool call that were resolved so far.
 * @param send - The `fetch` that does the work.
 * @throws SecretHostDenied before anything is sent, when a marker goes to a host that is not bound.
 */
export function egressFetch(
  secrets: () => readonly EgressSecret[],
  send: typeof fetch = globalThis.fetch,
): typeof fetch {
  return async (input, init) => {
    const known = secrets();
    if (known.length === 0) return send(input, init);
    const request = input instanceof Request ? input : undefined;
    let url = new URL(input instanceof Request ? input.url : input);
    let method = (init?.method ?? request?.method ?? "GET").toUpperCase();
    let body: RequestInit["body"] | null | undefined =
      init?.body ?? (request && method !== "GET" && method !== "HEAD" ? await request.text() : undefined);
    const signal = init?.signal ?? request?.signal ?? null;
    const template = new Headers(init?.headers ?? request?.headers);
    const redirect = init?.redirect ?? request?.redirect ?? "follow";
    for (let hop = 0; hop <= redirectLimit; hop += 1) {
      const headers = new Headers();
      for (const [name, value] of template) headers.append(name, substitute(value, url, known));
      const response = await send(url, {
        ...init,
        method,
        headers,
        signal,
        redirect: redirect === "follow" ? "manual" : redirect,
        ...(body === undefined || body === null
          ? {}
          : { body: typeof body === "string" ? substitute(body, url, known) : body }),
      });
      const next = redirect === "follow" ? redirected(response, url) : undefined;
      if (next === undefined) return response;
      await response.body?.cancel();
      if (response.status === 303 || ((response.status === 301 || response.status === 302) && method === "POST")) {
        method = "GET";
        body = undefined;
        for (const name of ["content-type", "content-length", "content-encoding"]) template.delete(name);
      }
      if (next.origin !== url.origin)
        for (const name of ["authorization", "cookie", "proxy-authorization"]) template.delete(name);
      url = next;
    }
    throw new TypeError(`fetch failed: more than ${redirectLimit} redirects from ${url.origin}.`);
  };
}
