import type { DownloadedFile } from "@bailiwick/core";
import { followRedirect, type Hop } from "./follow-redirect.ts";
import { guardedFetch } from "./guarded-fetch.ts";

/** Longest file, in bytes. */
const maxBytes = 20_000_000;
const maxRedirects = 3;

/**
 * Downloads a file at an address that a message names: over https, from public addresses, at most 20 MB.
 *
 * @param url - The address.
 * @param options - Cancels the download, and the `fetch` that checks addresses; default `guardedFetch()`.
 * @throws Error that says why there is no file; EgressDeniedError `EGRESS_DENIED` before anything is sent.
 * @example
 * ```ts
 * import { downloadFile } from "@bailiwick/security/net";
 *
 * await downloadFile("https://127.0.0.1/a.png").catch((error: Error) => console.log(error.message));
 * ```
 */
export async function downloadFile(
  url: string,
  { signal, fetch = guardedFetch() }: { readonly signal?: AbortSignal; readonly fetch?: typeof globalThis.fetch } = {},
): Promise<DownloadedFile> {
  const response = await request(url, fetch, signal);
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the server answered ${response.status}`);
  }
  const bytes = await readAll(response);
  if (bytes === undefined) throw new Error(`it is longer than ${maxBytes / 1_000_000} MB`);
  const type = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  return { bytes, ...(type !== undefined && { type }) };
}

/** Follows redirects here, because each hop must use https. */
async function request(url: string, fetch: typeof globalThis.fetch, signal?: AbortSignal): Promise<Response> {
  let hop: Hop<never> = { url: new URL(url), method: "GET", headers: new Headers(), body: null };
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    if (hop.url.protocol !== "https:") throw new Error(`${hop.url.origin} does not use https`);
    const response = await fetch(hop.url, {
      redirect: "manual",
      credentials: "omit",
      ...(signal !== undefined && { signal }),
    });
    const next = followRedirect(hop, response);
    if (next === undefined) return response;
    await response.body?.cancel();
    hop = next;
  }
  throw new Error(`it was redirected more than ${maxRedirects} times`);
}

/** The body, or `undefined` if it is too long: the rest is not read. */
async function readAll({ headers, body }: Response): Promise<Uint8Array | undefined> {
  if (Number(headers.get("content-length")) > maxBytes) {
    await body?.cancel();
    return undefined;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (const reader = body?.getReader(); reader !== undefined;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
