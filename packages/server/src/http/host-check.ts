import type { Context } from "hono";
import { RequestError } from "./request-error.ts";

/**
 * Refuses requests that a page of another site may have caused: to an unexpected host name for this machine, and with
 * the origin of another site.
 *
 * @param context - The request.
 * @param onlyLoopback - True without `authorize`: the host has to be loopback.
 * @param allowedOrigins - Allowed origins in addition to the host's own.
 * @throws RequestError `HOST_REFUSED`, `ORIGIN_REFUSED`
 * @example
 * ```ts
 * import { checkHost } from "@bailiwick/server";
 * import { Hono } from "hono";
 *
 * export const app = new Hono().use(async (context, next) => {
 *   checkHost(context, true, []);
 *   await next();
 * });
 * ```
 */
export function checkHost(context: Context, onlyLoopback: boolean, allowedOrigins: readonly string[]): void {
  const host = context.req.header("host") ?? new URL(context.req.url).host;
  if (onlyLoopback && !(isLoopback(host) && isFromHere(context))) {
    throw new RequestError(
      403,
      "HOST_REFUSED",
      `The host "${host}" is not served. Without "authorize" the server answers requests from this machine to localhost, 127.0.0.1 and [::1] only. Give runRoutes() or studio() an "authorize" that names the callers.`,
    );
  }
  const origin = context.req.header("origin");
  if (origin === undefined || allowedOrigins.includes(origin) || hostOf(origin) === host.toLowerCase()) return;
  throw new RequestError(
    403,
    "ORIGIN_REFUSED",
    `Pages of "${origin}" may not call this server. List the origin in "allowedOrigins" if they should.`,
  );
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/**
 * False if a Node server knows the client's address, and it belongs to another machine: such a client can send any
 * host.
 */
function isFromHere(context: Context): boolean {
  const { incoming } = (context.env ?? {}) as {
    readonly incoming?: { readonly socket?: { readonly remoteAddress?: unknown } | undefined } | undefined;
  };
  const address = incoming?.socket?.remoteAddress;
  if (typeof address !== "string") return true;
  return /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(address) || address === "::1";
}

function isLoopback(host: string): boolean {
  const address = `http://${host}`;
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}
