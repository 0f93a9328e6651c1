/** A request that the dispatcher accepts unchanged. */
export interface PlainRequest {
  readonly url: URL;
  readonly method: string;
  /** Flat list of names and values. */
  readonly headers: string[];
  readonly body: string | Uint8Array | null;
  readonly signal: AbortSignal | null;
  readonly redirect: NonNullable<RequestInit["redirect"]>;
}

function isPlainBody(body: unknown): body is string | Uint8Array | null | undefined {
  return body === null || body === undefined || typeof body === "string" || body instanceof Uint8Array;
}

function flatHeaders(headers: RequestInit["headers"] | undefined): string[] {
  const flat: string[] = [];
  if (headers === undefined || headers === null) return flat;
  // The class `Headers` is not named, because the platform would load its own fetch for it.
  if (Symbol.iterator in headers) {
    for (const [name, value] of headers as Iterable<[string, string]>) flat.push(name, value);
  } else {
    for (const name of Object.keys(headers)) flat.push(name, String((headers as Record<string, string>)[name]));
  }
  return flat;
}

function names(headers: readonly string[], wanted: string): boolean {
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index]?.toLowerCase() === wanted) return true;
  }
  return false;
}

/**
 * Reads the arguments of a `fetch` call.
 *
 * @returns `undefined` if the request needs the full `fetch`: a `Request` object, a form, a blob, a streamed body,
 * another scheme than http(s), credentials in the URL, integrity.
 */
export function plainRequest(
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): PlainRequest | undefined {
  if (typeof input !== "string" && !(input instanceof URL)) return undefined;
  const body = init?.body as unknown;
  if (!isPlainBody(body) || init?.integrity) return undefined;
  const url = typeof input === "string" ? new URL(input) : input;
  if ((url.protocol !== "http:" && url.protocol !== "https:") || url.username !== "" || url.password !== "")
    return undefined;
  const { method, signal, redirect } = init ?? {};
  const headers = headersOf(init, body);
  return {
    url,
    method: (method ?? "GET").toUpperCase(),
    headers,
    body: body ?? null,
    signal: signal ?? null,
    redirect: redirect ?? "follow",
  };
}

/** The headers of a request, including those that every request has. */
function headersOf(init: RequestInit | undefined, body: PlainRequest["body"] | undefined): string[] {
  const headers = flatHeaders(init?.headers);
  if (typeof body === "string" && !names(headers, "content-type"))
    headers.push("content-type", "text/plain;charset=UTF-8");
  if (!names(headers, "accept")) headers.push("accept", "*/*");
  if (!names(headers, "user-agent")) headers.push("user-agent", "bailiwick");
  return headers;
}
