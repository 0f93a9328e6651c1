import type { PlainRequest } from "./request.ts";

const withOrigin = new Set(["authorization", "cookie", "host", "proxy-authorization"]);
const ofBody = new Set(["content-encoding", "content-language", "content-length", "content-location", "content-type"]);

/**
 * The request that follows a redirect: without a body if the standard drops it, and without credentials for another
 * origin.
 *
 * @param request - The request that was redirected.
 * @param status - Status of the redirect.
 * @param location - The target of the redirect.
 * @returns `undefined` if the target is not a web address.
 * @see https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export function followRedirect(request: PlainRequest, status: number, location: string): PlainRequest | undefined {
  const url = URL.parse(location, request.url.href);
  if (url === null || !/^https?:$/u.test(url.protocol)) return undefined;
  const toGet =
    (status === 303 && request.method !== "GET" && request.method !== "HEAD") ||
    (status < 303 && request.method === "POST");
  const sameOrigin = url.origin === request.url.origin;
  const headers: string[] = [];
  for (let index = 0; index < request.headers.length; index += 2) {
    const name = request.headers[index] ?? "";
    const lower = name.toLowerCase();
    if ((!sameOrigin && withOrigin.has(lower)) || (toGet && ofBody.has(lower))) continue;
    headers.push(name, request.headers[index + 1] ?? "");
  }
  return { ...request, url, headers, ...(toGet && { method: "GET", body: null }) };
}
