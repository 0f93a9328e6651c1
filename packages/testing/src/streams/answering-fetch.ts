import { bytesBody } from "./bytes-body.ts";

/** How the bytes of an answer arrive. */
export interface Arrival {
  /** Byte offsets at which the body is split. */
  readonly splitAt?: readonly number[] | undefined;
  /** True if the connection breaks after the last of them. Default `false`. */
  readonly broken?: boolean | undefined;
  /** HTTP status. Default 200. */
  readonly status?: number | undefined;
  /** Response headers. Default: those of an event stream. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A request that an {@link AnsweringFetch} received. */
export interface FetchedRequest {
  /** Address of the request. */
  readonly url: string;
  /** Headers of the request. */
  readonly headers: Headers;
  /** Parsed JSON. */
  readonly body: unknown;
}

/** A `fetch` without a network that records its requests. */
export interface AnsweringFetch {
  /**
   * @param request - The arguments of `fetch`, which are recorded in `requests`.
   */
  (...request: Parameters<typeof globalThis.fetch>): Promise<Response>;
  /** Every request so far, in order. */
  readonly requests: readonly FetchedRequest[];
}

/**
 * A `fetch` that gives the same bytes to every request: for testing each position at which an answer can be split or
 * cut, faster than a server could.
 *
 * @param bytes - The body.
 * @param arrival - Timing of the bytes.
 * @example
 * ```ts
 * import { openai } from "@bailiwick/providers-openai";
 * import { answeringFetch } from "@bailiwick/testing";
 *
 * const bytes = new TextEncoder().encode('data: {"type":"response.created"}\n\n');
 * export const model = openai("gpt-5.5", { apiKey: "test", fetch: answeringFetch(bytes, { splitAt: [7], broken: true }) });
 * ```
 */
export function answeringFetch(bytes: Uint8Array, arrival: Arrival = {}): AnsweringFetch {
  const requests: FetchedRequest[] = [];
  const answer = async (...[input, init]: Parameters<typeof globalThis.fetch>): Promise<Response> => {
    const url = typeof input === "string" ? input : input instanceof URL ? input.href : input.url;
    const { body } = init ?? {};
    requests.push({
      url,
      headers: new Headers(init?.headers),
      body: typeof body === "string" ? (JSON.parse(body) as unknown) : undefined,
    });
    const offsets = [0, ...(arrival.splitAt ?? []), bytes.length];
    const pieces = offsets.slice(0, -1).map((from, index) => bytes.subarray(from, offsets[index + 1]));
    return new Response(bytesBody(pieces, arrival.broken === true ? new TypeError("terminated") : undefined), {
      status: arrival.status ?? 200,
      headers: { "content-type": "text/event-stream", ...arrival.headers },
    });
  };
  return Object.assign(answer, { requests });
}
