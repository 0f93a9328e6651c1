/** A request between two hops of a redirect. */
export interface Hop<Body> {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Body | null;
}

const redirectStatus: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Only sent to the origin that they were made for. */
const ofOrigin = ["authorization", "cookie", "host", "proxy-authorization"];
const ofBody = ["content-encoding", "content-language", "content-length", "content-location", "content-type"];

/**
 * The request that follows a redirect: without a body where the standard drops it, and without credentials for another
 * origin. The caller decides if it may be sent.
 *
 * @param request - The request that was answered.
 * @param response - The answer.
 * @returns `undefined` when the answer is not a redirect: another status, such as 304, or no location.
 * @throws TypeError when the location is not a URL, or the body was a stream and is gone.
 * @see https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export function followRedirect<Body>(
  request: Hop<Body>,
  response: Pick<Response, "status" | "headers">,
): Hop<Body> | undefined {
  const { status } = response;
  const location = response.headers.get("location");
  if (!redirectStatus.has(status) || location === null) return undefined;
  const url = new URL(location, request.url);
  if (url.hash === "") url.hash = request.url.hash;
  const headers = new Headers(request.headers);
  if (url.origin !== request.url.origin) for (const name of ofOrigin) headers.delete(name);
  const { method } = request;
  const toGet =
    (status === 303 && method !== "GET" && method !== "HEAD") ||
    ((status === 301 || status === 302) && method === "POST");
  if (!toGet) {
    if (request.body instanceof ReadableStream)
      throw new TypeError(`fetch failed: ${request.url.origin} redirects a request whose body was a stream.`);
    return { url, method, headers, body: request.body };
  }
  for (const name of ofBody) headers.delete(name);
  return { url, method: "GET", headers, body: null };
}
