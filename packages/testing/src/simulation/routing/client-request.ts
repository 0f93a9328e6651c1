import { EventEmitter } from "node:events";
import { Readable } from "node:stream";
import type { RoutedProcess } from "./routed-process.ts";

interface RequestOptions {
  readonly protocol?: string | undefined;
  readonly hostname?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: string | number | undefined;
  readonly path?: string | undefined;
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string | number | readonly string[] | undefined>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the request of `http.request` for a simulated process: it has the methods and events that clients use, and
 * its answer comes from a receiver.
 *
 * @param given - Arguments of `http.request`.
 */
export function clientRequest(process: RoutedProcess, protocol: string, given: readonly unknown[]): EventEmitter {
  const url = typeof given[0] === "string" || given[0] instanceof URL ? new URL(given[0]) : undefined;
  const options = (given.find((one) => typeof one === "object" && !(one instanceof URL)) ?? {}) as RequestOptions;
  const callback = given.find((one) => typeof one === "function") as ((answer: Readable) => void) | undefined;
  const host = options.hostname ?? options.host ?? "localhost";
  const port = options.port === undefined ? "" : `:${options.port}`;
  const target = url ?? new URL(`${options.protocol ?? protocol}//${host}${port}${options.path ?? "/"}`);
  const headers = new Headers();
  for (const [name, value] of Object.entries(options.headers ?? {}))
    if (value !== undefined) headers.set(name, typeof value === "object" ? value.join(", ") : String(value));
  const chunks: Buffer[] = [];
  let destroyed = false;

  const request = new EventEmitter();
  const method = options.method ?? "GET";
  const send = async (): Promise<void> => {
    const hasBody = chunks.length > 0 && method !== "GET" && method !== "HEAD";
    const answer = await process.fetch(
      new Request(target, {
        method,
        headers,
        ...(hasBody && { body: new Uint8Array(Buffer.concat(chunks)) }),
        ...(options.signal !== undefined && { signal: options.signal }),
      }),
    );
    if (destroyed) return;
    const body = Buffer.from(await answer.arrayBuffer());
    const incoming = Object.assign(Readable.from(body.length === 0 ? [] : [body]), {
      statusCode: answer.status,
      statusMessage: answer.statusText,
      headers: Object.fromEntries(answer.headers),
      rawHeaders: [...answer.headers].flat(),
    });
    callback?.(incoming);
    request.emit("response", incoming);
  };
  const fail = (error: unknown): void => void (destroyed || request.emit("error", error));
  return Object.assign(request, {
    setHeader: (name: string, value: string) => headers.set(name, value),
    getHeader: (name: string) => headers.get(name) ?? undefined,
    write(chunk: string | Uint8Array): boolean {
      chunks.push(Buffer.from(chunk as Uint8Array));
      return true;
    },
    end(chunk?: string | Uint8Array) {
      if (chunk !== undefined && chunk !== null && typeof chunk !== "function")
        chunks.push(Buffer.from(chunk as Uint8Array));
      void send().catch(fail);
      return request;
    },
    destroy(error?: Error) {
      if (error !== undefined) fail(error);
      destroyed = true;
      return request;
    },
    setTimeout: () => request,
    setNoDelay: () => undefined,
    setSocketKeepAlive: () => undefined,
    flushHeaders: () => undefined,
  });
}
