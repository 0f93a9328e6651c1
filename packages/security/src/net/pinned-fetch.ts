import type * as Http from "node:https";
import type * as Streams from "node:stream";
import { nodeModule } from "./node-module.ts";

/** A request whose address is known. */
export interface PinnedInit {
  readonly method: string;
  readonly headers: Headers;
  readonly body: ArrayBuffer | null;
  readonly signal: AbortSignal;
}

/** Connects to the checked addresses, even if the name resolves to others by then. */
export function pinnedFetch(
  url: URL,
  init: PinnedInit,
  addresses: readonly { readonly address: string; readonly family: number }[],
): Promise<Response> {
  const [first] = addresses;
  if (first === undefined) throw new TypeError("pinnedFetch needs an address.");
  const http = nodeModule<typeof Http>(url.protocol === "https:" ? "node:https" : "node:http", "guardedFetch");
  const { Readable } = nodeModule<typeof Streams>("node:stream", "guardedFetch");
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        method: init.method,
        headers: Object.fromEntries(init.headers),
        signal: init.signal,
        agent: false,
        lookup: (_hostname, lookupOptions, callback) => {
          if (lookupOptions.all === true)
            callback(
              null,
              addresses.map(({ address, family }) => ({ address, family })),
            );
          else callback(null, first.address, first.family);
        },
      },
      (answer) => {
        const status = answer.statusCode ?? 502;
        const headers = new Headers();
        for (let index = 0; index < answer.rawHeaders.length; index += 2)
          headers.append(answer.rawHeaders[index] ?? "", answer.rawHeaders[index + 1] ?? "");
        const empty = status === 204 || status === 205 || status === 304;
        resolve(
          new Response(empty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>), {
            status,
            statusText: answer.statusMessage ?? "",
            headers,
          }),
        );
      },
    );
    request.on("error", (cause) =>
      reject(init.signal.aborted ? (init.signal.reason as Error) : new TypeError("fetch failed", { cause })),
    );
    request.end(init.body === null ? undefined : new Uint8Array(init.body));
  });
}
