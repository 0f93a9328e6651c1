import type { HostChannel } from "./host-channel.ts";

interface SandboxResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: [string, string][];
  readonly body: string;
}

/**
 * The context of a tool: the data of the call, and functions that the host answers.
 *
 * @param data - From the host.
 * @param host - The channel to the host.
 */
export function toolContext(data: object, host: HostChannel): Readonly<Record<string, unknown>> {
  const tell = (name: string, value: unknown): void => {
    // The call does not wait for it; the host logs its errors.
    host.call(name, [value]).catch(() => undefined);
  };
  return Object.freeze({
    ...data,
    log: (message: unknown) => tell("log", String(message)),
    reportProgress: (progress: unknown) => tell("reportProgress", progress ?? null),
    fetch: sandboxedFetch(host),
    secretHeader: (name: unknown, template?: unknown) => host.call("secretHeader", [name, template ?? null]),
  });
}

/** A `fetch` that the host executes, for the granted hosts, with the secrets that are bound to them. */
export function sandboxedFetch(host: HostChannel): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const bytes = new Uint8Array(await request.arrayBuffer());
    const answered = host.call("fetch", [
      request.url,
      {
        method: request.method,
        headers: [...request.headers],
        ...(bytes.length > 0 && { bodyBase64: Buffer.from(bytes).toString("base64") }),
        redirect: request.redirect,
      },
    ]) as Promise<SandboxResponse>;
    const { status, statusText, headers, body } = await orAborted(answered, request.signal);
    const isEmpty = status === 204 || status === 205 || status === 304;
    return new Response(isEmpty ? null : Buffer.from(body, "base64"), { status, statusText, headers });
  };
}

function orAborted<T>(answered: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
    answered.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
