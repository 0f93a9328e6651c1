import type { Context } from "hono";

/**
 * Keeps a request's process or isolate alive until a promise settles, even after the response.
 *
 * @param work - Settles when the work is done.
 */
export type WaitUntil = (work: Promise<unknown>) => void;

interface MayWait {
  readonly waitUntil?: unknown;
}

/** The parts of hosts' global objects that are used. */
interface HostGlobals {
  readonly [vercelRequest]?: { get?(): MayWait | undefined } | undefined;
  readonly Netlify?: { readonly context?: MayWait | null | undefined } | undefined;
  readonly EdgeRuntime?: MayWait | string | undefined;
}

const vercelRequest = Symbol.for("@vercel/request-context");

/**
 * The host's own `waitUntil` for a request: the third argument of a `fetch` handler (Cloudflare Workers and others), or
 * what Vercel, Netlify and Supabase offer. Hosts whose processes outlive their requests, such as Node, have none.
 */
export function hostWaitUntil(context: Context): WaitUntil | undefined {
  const { [vercelRequest]: vercel, Netlify, EdgeRuntime } = globalThis as HostGlobals;
  for (const find of [
    () => context.executionCtx as MayWait,
    () => vercel?.get?.(),
    () => Netlify?.context,
    () => (typeof EdgeRuntime === "object" ? EdgeRuntime : undefined),
  ]) {
    const waiting = bound(find);
    if (waiting !== undefined) return waiting;
  }
  return undefined;
}

function bound(find: () => MayWait | null | undefined): WaitUntil | undefined {
  let host: MayWait | null | undefined;
  try {
    host = find();
  } catch {
    // Hono throws if the handler was called without an execution context.
    return undefined;
  }
  const { waitUntil } = host ?? {};
  return typeof waitUntil === "function" ? (work) => void waitUntil.call(host, work) : undefined;
}
