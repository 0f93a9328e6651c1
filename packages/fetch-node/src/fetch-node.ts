import { Agent, interceptors } from "undici";
import type { Dispatcher } from "undici";

import { chunkQueue } from "./chunk-queue.ts";
import type { ChunkQueue } from "./chunk-queue.ts";
import { decodeContent } from "./decode-content.ts";
import { LeanResponse } from "./lean-response.ts";
import { plainRequest } from "./request.ts";
import type { PlainRequest } from "./request.ts";

/** How connections are kept. */
export interface FetchNodeOptions {
  /** Connections per host; default unlimited. */
  readonly connections?: number | undefined;
  /** How long an idle connection is kept, in milliseconds; default 4,000. */
  readonly keepAliveTimeoutMs?: number | undefined;
  /** Longest silence within a body, in milliseconds; default 300,000; `0` is unlimited. */
  readonly bodyTimeoutMs?: number | undefined;
}

/** A `fetch` with connections of its own. */
export interface FetchNode {
  (input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response>;
  /** Closes its connections after the requests under way. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

function failed(cause: unknown): TypeError {
  return new TypeError("fetch failed", { cause });
}

function responseHeaders(raw: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const name of Object.keys(raw)) {
    const value = raw[name];
    if (typeof value === "string") headers.append(name, value);
    else if (value !== undefined) for (const item of value) headers.append(name, item);
  }
  return headers;
}

function send(dispatcher: Dispatcher, request: PlainRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { signal, url } = request;
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    let controller: Dispatcher.DispatchController | undefined;
    let queue: ChunkQueue | undefined;
    let redirected = false;
    let aborted: { readonly reason: unknown } | undefined;
    const onAbort = (): void => {
      aborted = { reason: signal?.reason };
      signal?.removeEventListener("abort", onAbort);
      controller?.abort(signal?.reason as Error);
      if (queue) queue.fail(signal?.reason);
      else reject(signal?.reason as Error);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    const settle = (): void => signal?.removeEventListener("abort", onAbort);
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: request.headers,
        body: request.body,
      },
      {
        onRequestStart(current, context) {
          controller = current;
          redirected = ((context as { history?: unknown[] } | undefined)?.history?.length ?? 0) > 0;
          if (aborted) current.abort(aborted.reason as Error);
        },
        onResponseStart(current, status, rawHeaders, statusText) {
          if (status < 200) return;
          const headers = responseHeaders(rawHeaders);
          if (request.redirect === "error" && status >= 300 && status < 400 && headers.has("location")) {
            current.abort(new Error("redirect"));
            settle();
            reject(failed(new Error(`${url.href} answered with a redirect, and redirect is "error".`)));
            return;
          }
          queue = chunkQueue(
            () => current.resume(),
            () => {
              settle();
              if (!current.aborted) current.abort(new DOMException("The body was not read to its end.", "AbortError"));
            },
          );
          let chunks: AsyncIterable<Uint8Array>;
          try {
            chunks = decodeContent(queue, headers.get("content-encoding"));
          } catch (error) {
            current.abort(error as Error);
            reject(failed(error));
            return;
          }
          resolve(
            new LeanResponse({ status, statusText: statusText ?? "", headers, url: url.href, redirected, chunks }),
          );
        },
        onResponseData(current, chunk) {
          if (queue && !queue.push(chunk)) current.pause();
        },
        onResponseEnd() {
          settle();
          queue?.end();
        },
        onResponseError(_controller, error) {
          settle();
          const reason = aborted ? aborted.reason : failed(error);
          if (queue) queue.fail(reason);
          else reject(reason);
        },
      },
    );
  });
}

/**
 * Makes a `fetch` over undici's dispatcher. Plain requests (text or bytes, http or https) take the short way; anything
 * else goes to the global `fetch`. Without a signal a request waits for its headers without limit, as slow models need.
 *
 * @param options - How connections are kept.
 * @returns a `fetch` with connections of its own; close it when the process is done with it.
 *
 * @example
 * ```ts
 * import { fetchNode } from "@bailiwick/fetch-node";
 *
 * await using lean = fetchNode({ connections: 16 });
 * const response = await lean("data:text/plain,hello");
 * console.log(await response.text());
 * ```
 */
export function fetchNode(options: FetchNodeOptions = {}): FetchNode {
  const agent = new Agent({
    connections: options.connections ?? null,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: options.bodyTimeoutMs ?? 300_000,
    ...(options.keepAliveTimeoutMs === undefined ? {} : { keepAliveTimeout: options.keepAliveTimeoutMs }),
  });
  const following = agent.compose(interceptors.redirect({ maxRedirections: 20 }));
  const lean = async (input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> => {
    const request = plainRequest(input, init);
    if (request === undefined) return fetch(input, init);
    return send(request.redirect === "follow" ? following : agent, request);
  };
  const close = (): Promise<void> => agent.close();
  return Object.assign(lean, { close, [Symbol.asyncDispose]: close });
}
