import type { MiddlewareHandler } from "hono";

const localHosts = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Answers only pages of this machine: a page of another site can neither approve a refund by posting here, nor reach
 * the desk under a host name that resolves to this address.
 */
export function onlyThisMachine(): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header("host") ?? "";
    const origin = context.req.header("origin");
    const known = localHosts.has(host.replace(/:\d+$/, ""));
    const sameOrigin = origin === undefined || origin === `http://${host}`;
    if (known && sameOrigin) return next();
    return context.json(
      { error: { code: "FORBIDDEN", message: "The desk answers only its own page on this machine." } },
      403,
    );
  };
}
