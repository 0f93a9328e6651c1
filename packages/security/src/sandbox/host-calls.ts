import type { SandboxCall } from "@bailiwick/core";

import type { HostCalls } from "./driver.ts";
import type { SandboxRights } from "./rights.ts";

/** A response in the form that crosses the boundary. */
interface SandboxResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Base64. */
  readonly body: string;
}

/** Maximum number of bytes of a response that a sandbox gets. */
const longestBody = 8 * 1024 * 1024;

/** The functions of a `SandboxedToolContext`, at the host's end of the channel. */
export function contextCalls(call: Pick<SandboxCall, "context" | "signal">, rights: SandboxRights): HostCalls {
  const { context, signal } = call;
  return {
    log: ([message]) => {
      context.log(String(message));
    },
    reportProgress: ([progress]) => {
      context.reportProgress(progressOf(progress));
    },
    fetch: ([url, init]) => fetchFor({ context, signal }, rights, String(url), requestOf(init)),
    secretHeader: ([name, template]) =>
      context.secretHeader(String(name), typeof template === "string" ? template : undefined),
  };
}

function progressOf(value: unknown): { readonly message?: string; readonly fraction?: number } {
  const { message, fraction } = (value ?? {}) as { readonly message?: unknown; readonly fraction?: unknown };
  return {
    ...(typeof message === "string" && { message }),
    ...(typeof fraction === "number" && { fraction }),
  };
}

interface SandboxRequest {
  readonly method: string;
  readonly headers: [string, string][];
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  readonly redirect: "follow" | "manual" | "error";
}

function requestOf(init: unknown): SandboxRequest {
  const { method, headers, body, bodyBase64, redirect } = (init ?? {}) as Record<string, unknown>;
  return {
    method: typeof method === "string" ? method : "GET",
    headers: Array.isArray(headers)
      ? headers.map((pair: unknown) => [String((pair as unknown[])[0]), String((pair as unknown[])[1])])
      : [],
    body:
      typeof bodyBase64 === "string"
        ? Uint8Array.from(atob(bodyBase64), (letter) => letter.charCodeAt(0))
        : typeof body === "string"
          ? body
          : undefined,
    redirect: redirect === "manual" || redirect === "error" ? redirect : "follow",
  };
}

async function fetchFor(
  { context, signal }: Pick<SandboxCall, "context" | "signal">,
  rights: SandboxRights,
  url: string,
  { body, ...request }: SandboxRequest,
): Promise<SandboxResponse> {
  const { grantedFetch } = await import("./proxy/granted-fetch.ts");
  const send = grantedFetch(rights.network, context.fetch);
  return responseOf(await send(url, { ...request, signal, ...(body !== undefined && { body }) }));
}

async function responseOf(response: Response): Promise<SandboxResponse> {
  const bytes = await bytesOf(response);
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers.entries()],
    body: btoa(binary),
  };
}

/** Reads only as much as the sandbox may get: a server decides the length of its answer. */
async function bytesOf(response: Response): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  // Ending the loop early cancels the rest.
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > longestBody) throw new TypeError(`The response is longer than ${longestBody} bytes.`);
    pieces.push(piece);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
