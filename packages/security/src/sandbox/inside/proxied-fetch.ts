import { request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

/**
 * A `fetch` that names the whole URL to the proxy, https too: the proxy makes the encrypted connection, and replaces the
 * markers of secrets for the hosts that they are bound to.
 *
 * @param proxy - Its address in the sandbox.
 */
export function proxiedFetch(proxy: URL): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const body = new Uint8Array(await request.arrayBuffer());
    const answer = await asked(proxy, request, body);
    if (answer.headers["x-bailiwick-proxy"] !== undefined) {
      const pieces: Buffer[] = [];
      for await (const piece of answer as AsyncIterable<Buffer>) pieces.push(piece);
      throw new TypeError(`fetch failed: ${Buffer.concat(pieces).toString()}`);
    }
    const status = answer.statusCode ?? 502;
    if (request.redirect === "error" && status >= 300 && status < 400 && answer.headers.location !== undefined) {
      throw new TypeError("fetch failed: it was redirected.");
    }
    const headers = new Headers();
    for (let index = 0; index + 1 < answer.rawHeaders.length; index += 2) {
      headers.append(answer.rawHeaders[index] ?? "", answer.rawHeaders[index + 1] ?? "");
    }
    const isEmpty = status === 204 || status === 205 || status === 304;
    const stream = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
    return new Response(stream, { status, statusText: answer.statusMessage ?? "", headers });
  };
}

function asked(proxy: URL, request: Request, body: Uint8Array): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { host } = new URL(request.url);
    const headers = { ...Object.fromEntries(request.headers), host, "x-bailiwick-redirect": request.redirect };
    const sent = httpRequest(
      // Without an agent, because the runtime's own would send requests for the proxy through the proxy.
      { host: proxy.hostname, port: proxy.port, path: request.url, method: request.method, headers, agent: false },
      resolve,
    );
    const onAbort = (): void => void sent.destroy(request.signal.reason as Error);
    request.signal.addEventListener("abort", onAbort, { once: true });
    sent.on("error", (cause) => {
      reject(request.signal.aborted ? (request.signal.reason as Error) : new TypeError("fetch failed", { cause }));
    });
    sent.on("close", () => request.signal.removeEventListener("abort", onAbort));
    sent.end(body.length > 0 ? body : undefined);
  });
}
