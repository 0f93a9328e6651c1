import type { SandboxCall } from "@bailiwick/core";

import type { BoxRights } from "./rights.ts";

/**
 * What code inside may call of the host, by name: JSON in, JSON out. A rejection reaches the code as an error with its
 * message alone. A driver counts what is sent through them against the call's output.
 */
export type HostCalls = Readonly<Record<string, (args: readonly unknown[]) => unknown>>;

/** A response as it crosses the boundary. */
export interface BoxResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Base64. */
  readonly body: string;
}

/** Bytes of a response that a sandbox is given. */
const longestBody = 8 * 1024 * 1024;

/** The functions of a `SandboxedToolContext`, for the host's end of the channel. */
export function contextCalls(call: Pick<SandboxCall, "context" | "signal">, rights: BoxRights): HostCalls {
  const { context, signal } = call;
  return {
    log: ([message]) => {
      context.log(String(message));
    },
    reportProgress: ([progress]) => {
      context.reportProgress(progressOf(progress));
    },
    fetch: ([url, init]) => fetchFor(context.fetch, rights, signal, String(url), requestOf(init)),
  };
}

function progressOf(value: unknown): { readonly message?: string; readonly fraction?: number } {
  const { message, fraction } = (value ?? {}) as { readonly message?: unknown; readonly fraction?: unknown };
  return {
    ...(typeof message === "string" && { message }),
    ...(typeof fraction === "number" && { fraction }),
  };
}

interface BoxRequest {
  readonly method: string;
  readonly headers: [string, string][];
  readonly body: string | undefined;
}

function requestOf(init: unknown): BoxRequest {
  const { method, headers, body } = (init ?? {}) as Record<string, unknown>;
  return {
    method: typeof method === "string" ? method : "GET",
    headers: Array.isArray(headers)
      ? headers.map((pair: unknown) => [String((pair as unknown[])[0]), String((pair as unknown[])[1])])
      : [],
    body: typeof body === "string" ? body : undefined,
  };
}

async function fetchFor(
  send: typeof fetch,
  rights: BoxRights,
  signal: AbortSignal,
  url: string,
  request: BoxRequest,
): Promise<BoxResponse> {
  const { method, headers, body } = request;
  let target = new URL(url);
  for (let hop = 0; hop <= 5; hop += 1) {
    demandHost(rights, target);
    const response = await send(target, {
      method,
      headers,
      signal,
      // A redirect is asked for by the server: it is followed only to where the sandbox may go.
      redirect: "manual",
      ...(body !== undefined && { body }),
    });
    const location = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
    if (location === null || method !== "GET") return responseOf(response);
    await response.body?.cancel();
    const next = new URL(location, target);
    if (next.origin !== target.origin) headers.length = 0;
    target = next;
  }
  throw new TypeError(`${url} redirected more than 5 times.`);
}

/** Throws for a host that the call was not granted. */
function demandHost({ network }: BoxRights, { hostname, protocol, host }: URL): void {
  if (protocol !== "https:" && protocol !== "http:") throw new TypeError(`fetch of ${protocol} is not possible here.`);
  if (network === "all" || (network !== "none" && (network.includes(hostname) || network.includes(host)))) return;
  throw new TypeError(
    network === "none"
      ? "This sandbox has no network. Name the host in the tool's allowNetwork."
      : `${host} is not among the hosts that this sandbox may reach: ${network.join(", ")}.`,
  );
}

async function responseOf(response: Response): Promise<BoxResponse> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length > longestBody) throw new TypeError(`The response is longer than ${longestBody} bytes.`);
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers.entries()],
    body: btoa(binary),
  };
}
