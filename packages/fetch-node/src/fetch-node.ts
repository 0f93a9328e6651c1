// Packages that import this package's source compile it without its folder.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./undici-agent.d.ts" />
import type { Dispatcher } from "undici";
import process from "node:process";
import Agent from "undici/lib/dispatcher/agent.js";
import { chunkQueue, type ChunkQueue } from "./chunk-queue.ts";
import { decodeContent } from "./decode-content.ts";
import { followRedirect } from "./follow-redirect.ts";
import { LeanResponse, type ResponseParts } from "./lean-response.ts";
import { plainRequest, type PlainRequest } from "./request.ts";
import { usesProxy } from "./uses-proxy.ts";

/** A `fetch` with its own connections. */
export interface FetchNode {
  /**
   * @param input - The address, or a `Request`.
   * @param init - Method, headers, body and signal, as for the global `fetch`.
   */
  (input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response>;
  /** Closes its connections after the requests under way. */
  close(): Promise<void>;
  /** Calls `close()`, so that `await using` closes the connections. */
  [Symbol.asyncDispose](): Promise<void>;
}

type RawHeaders = ResponseParts["headers"];

const redirectLimit = 20;

function failed(cause: unknown): TypeError {
  return new TypeError("fetch failed", { cause });
}

function single(headers: RawHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}

/** The target of a redirect that is followed or refused. */
function redirectOf(request: PlainRequest, status: number, headers: RawHeaders): string | undefined {
  if (request.redirect === "manual" || status < 301 || status > 308 || status === 304 || (status > 303 && status < 307))
    return undefined;
  return single(headers, "location");
}

/** Connections for requests. */
interface Connections {
  readonly dispatcher: Dispatcher;
  readonly freed: FreedConnections;
  /** True for a server on this machine, which may compute slowly, unless the caller chose a limit. */
  readonly isPatient: (url: URL) => boolean;
}

/** Longest silence within the body of a server on this machine, in milliseconds. */
const longestSilenceMs = 1_800_000;

const loopback = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

function send(connections: Connections, request: PlainRequest, hops: number): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { signal, url } = request;
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    let controller: Dispatcher.DispatchController | undefined;
    let queue: ChunkQueue | undefined;
    let redirected = false;
    let aborted: { readonly reason: unknown } | undefined;
    const onAbort = (): void => {
      aborted = { reason: signal?.reason };
      controller?.abort(signal?.reason as Error);
      if (queue) queue.fail(signal?.reason);
      else reject(signal?.reason as Error);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    const settle = (): void => signal?.removeEventListener("abort", onAbort);

    const redirect = (current: Dispatcher.DispatchController, status: number, location: string): void => {
      redirected = true;
      settle();
      current.abort(new Error("The request was redirected."));
      if (request.redirect === "error")
        reject(failed(new Error(`${url.href} answered with a redirect, and redirect is "error".`)));
      else if (hops >= redirectLimit)
        reject(failed(new Error(`${url.href} redirects more than ${redirectLimit} times.`)));
      else {
        const next = followRedirect(request, status, location);
        if (next !== undefined) resolve(send(connections, next, hops + 1));
        else
          reject(
            failed(new Error(`${url.href} redirects to ${JSON.stringify(location)}, which is not a web address.`)),
          );
      }
    };

    connections.dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: request.headers,
        body: request.body,
        ...(connections.isPatient(url) && { bodyTimeout: longestSilenceMs }),
      },
      {
        onRequestStart(current) {
          controller = current;
          if (aborted) current.abort(aborted.reason as Error);
        },
        onResponseStart(current, status, headers, statusText) {
          if (status < 200) return;
          const location = redirectOf(request, status, headers);
          if (location !== undefined) {
            redirect(current, status, location);
            return;
          }
          const made = chunkQueue(
            () => current.resume(),
            () => {
              settle();
              if (!current.aborted) current.abort(new DOMException("The body was not read to its end.", "AbortError"));
            },
          );
          queue = made;
          let chunks: ResponseParts["chunks"];
          try {
            chunks = decodeContent(made, single(headers, "content-encoding") ?? null);
          } catch (error) {
            current.abort(error as Error);
            reject(failed(error));
            return;
          }
          resolve(
            new LeanResponse({
              status,
              statusText: statusText ?? "",
              headers,
              url: url.href,
              redirected: hops > 0,
              chunks,
            }),
          );
        },
        onResponseData(current, chunk) {
          if (queue && !queue.push(chunk)) current.pause();
        },
        onResponseEnd() {
          settle();
          connections.freed.ended();
          queue?.end();
        },
        onResponseError(_controller, error) {
          if (redirected) return;
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
 * Makes a `fetch` over undici's dispatcher. Plain requests (text or bytes, http or https) use the short path; all
 * others use the global `fetch`, and so do all requests of a process whose operator set a proxy for it
 * (`NODE_USE_ENV_PROXY=1` with `HTTP_PROXY` or `HTTPS_PROXY`). Without a signal a request waits for its headers without limit, as slow models need.
 *
 * @param options - How connections are kept.
 * @returns a `fetch` with its own connections; close it when the process is done with it.
 * @throws TypeError for an unknown option, or an invalid value.
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
  checkFetchNodeOptions(options);
  const agent = new Agent({
    connections: options.connections ?? null,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: options.bodyTimeoutMs ?? 300_000,
    ...(options.keepAliveTimeoutMs === undefined ? {} : { keepAliveTimeout: options.keepAliveTimeoutMs }),
  });
  const behindProxy = usesProxy(process);
  const connections: Connections = {
    dispatcher: agent,
    freed: freedConnections(),
    isPatient: ({ hostname }) => options.bodyTimeoutMs === undefined && loopback.test(hostname),
  };
  const lean = async (input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> => {
    const request = plainRequest(input, init);
    if (request === undefined || behindProxy) return fetch(input, init);
    const freed = connections.freed.ready();
    if (freed !== undefined) await freed;
    return send(connections, request, 0);
  };
  const close = (): Promise<void> => agent.close();
  return Object.assign(lean, { close, [Symbol.asyncDispose]: close });
}

/**
 * Waits for connections that are about to become free, so that the next request uses one of them instead of a new one.
 */
interface FreedConnections {
  /** Records that a response ended. */
  ended(): void;
  /** A promise while a connection is about to become free. */
  ready(): Promise<void> | undefined;
}

/**
 * Undici frees a connection one turn of the event loop after its response. A caller that sends the next request in the
 * same turn, such as an agent with an immediate tool result, would get a new connection and its handshakes.
 */
function freedConnections(): FreedConnections {
  let justEnded = false;
  return {
    ended() {
      if (justEnded) return;
      justEnded = true;
      setImmediate(() => {
        justEnded = false;
      });
    },
    // Undici scheduled its own `setImmediate` when it reported the end; this one runs after it.
    ready: () => (justEnded ? new Promise((resolve) => setImmediate(resolve)) : undefined),
  };
}

/** Settings of connections. */
export interface FetchNodeOptions {
  /** Connections per host; default unlimited. */
  readonly connections?: number | undefined;
  /** Time for which an idle connection is kept, in milliseconds. Default 4,000. */
  readonly keepAliveTimeoutMs?: number | undefined;
  /** Longest silence within a body, in milliseconds; default 300,000, and 1,800,000 for a server on this machine; `0` is unlimited. */
  readonly bodyTimeoutMs?: number | undefined;
}

/** The minimum of each option; the compiler checks that none is missing. */
const least: { readonly [Name in keyof Required<FetchNodeOptions>]: number } = {
  connections: 1,
  keepAliveTimeoutMs: 1,
  bodyTimeoutMs: 0,
};

/**
 * Refuses options before the first request: undici would fail that request, or ignore them.
 *
 * @param options - As they were given.
 * @throws TypeError for an unknown option, or an invalid value.
 */
function checkFetchNodeOptions(options: FetchNodeOptions): void {
  const names = Object.keys(least).join(", ");
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw refused("INVALID_OPTION", `fetchNode() takes an object with ${names}.`);
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    if (!Object.hasOwn(least, name))
      throw refused("UNKNOWN_OPTION", `"${name}" is not an option of fetchNode(). It has ${names}.`);
    const from = least[name as keyof typeof least];
    if (value !== undefined && !(Number.isSafeInteger(value) && (value as number) >= from))
      throw refused("INVALID_OPTION", `fetchNode() takes a whole number from ${from} as "${name}".`);
  }
}

/** An error with a code, as in the packages that depend on core. */
function refused(code: "INVALID_OPTION" | "UNKNOWN_OPTION", message: string): TypeError {
  return Object.assign(new TypeError(message), { code });
}
