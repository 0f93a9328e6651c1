import type { IncomingMessage, ServerResponse } from "node:http";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";

import { stream } from "../node.ts";

/** Hop-by-hop headers, and headers that the proxy sets itself. */
const ofTheHop = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Header by which a `fetch` inside sets its treatment of redirects. */
const redirectHeader = "x-bailiwick-redirect";
/** Maximum number of buffered bytes of a request. */
const longestBody = 32 * 1024 * 1024;

/**
 * Sends a request with an absolute URL, and returns the answer.
 *
 * @param request - From inside.
 * @param response - To it.
 * @param send - Refuses hosts that were not granted.
 */
export async function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  send: typeof fetch,
): Promise<void> {
  const left = new AbortController();
  response.on("close", () => left.abort());
  try {
    const url = new URL(request.url ?? "");
    const body = await bodyOf(request);
    const answer = await send(url, {
      method: request.method ?? "GET",
      headers: headersOf(request),
      redirect: request.headers[redirectHeader] === "follow" ? "follow" : "manual",
      signal: left.signal,
      ...(body.length > 0 && { body }),
    });
    const headers = [...answer.headers].filter(([name]) => !ofTheHop.has(name));
    response.writeHead(answer.status, headers.flat());
    if (answer.body === null) response.end();
    else
      await stream.promises.pipeline(stream.Readable.fromWeb(answer.body as NodeReadableStream<Uint8Array>), response);
  } catch (error) {
    refuse(response, error);
  }
}

function headersOf(request: IncomingMessage): Headers {
  const headers = new Headers({ "accept-encoding": "identity" });
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? "";
    if (ofTheHop.has(name.toLowerCase()) || name.toLowerCase() === redirectHeader) continue;
    headers.append(name, request.rawHeaders[index + 1] ?? "");
  }
  return headers;
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > longestBody) throw new TypeError(`The request is longer than ${longestBody} bytes.`);
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/** The code inside may read the reason; none of these errors contains a secret's value. */
function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const isRefused = code === "EGRESS_DENIED" || code === "SECRET_HOST_DENIED" || code === "ERR_INVALID_URL";
  response.writeHead(isRefused ? 403 : 502, { "content-type": "text/plain; charset=utf-8", "x-bailiwick-proxy": "1" });
  response.end(String(message));
}
