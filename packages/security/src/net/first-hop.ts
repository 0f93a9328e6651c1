import type { Hop } from "./follow-redirect.ts";

/** The body of a request, in any form that `fetch` takes. */
export type RequestBody = RequestInit["body"];

/** The arguments of a `fetch` call, read once so that redirects can be followed by hand. */
export interface FirstHop {
  readonly hop: Hop<RequestBody>;
  /** The caller's options without the body. */
  readonly options: Omit<RequestInit, "body">;
  readonly redirect: NonNullable<RequestInit["redirect"]>;
  readonly signal: AbortSignal | null;
}

/** Reads the arguments of a `fetch` call. */
export async function firstHop(...[input, init]: Parameters<typeof fetch>): Promise<FirstHop> {
  const request = input instanceof Request ? input : undefined;
  const method = (init?.method ?? request?.method ?? "GET").toUpperCase();
  const { body: given, ...options } = init ?? {};
  return {
    hop: {
      url: new URL(input instanceof Request ? input.url : input),
      method,
      headers: new Headers(init?.headers ?? request?.headers),
      body: given ?? (await bodyOf(request, method)),
    },
    options,
    redirect: init?.redirect ?? request?.redirect ?? "follow",
    signal: init?.signal ?? request?.signal ?? null,
  };
}

async function bodyOf(request: Request | undefined, method: string): Promise<Uint8Array<ArrayBuffer> | null> {
  if (request === undefined || method === "GET" || method === "HEAD") return null;
  return new Uint8Array(await request.arrayBuffer());
}
