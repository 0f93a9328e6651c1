import type { SandboxPort } from "@bailiwick/core";
import { McpError } from "../errors.ts";
import type { McpOptions } from "../options.ts";
import { backoff, pause } from "./backoff.ts";
import { openClient } from "./open-client.ts";
import type { OpenClient } from "./open-client.ts";
import type { RequestHandlers } from "./request-handlers.ts";

/** The one connection to a server, shared by all runs. */
export interface Connection {
  /**
   * The connection, opened if there is none: once on first use, later as often as `reconnect` allows.
   *
   * @throws McpError; the signal's reason if it is aborted.
   */
  get(signal: AbortSignal, sandbox?: SandboxPort): Promise<OpenClient>;
  /** The connection that is open now. */
  readonly current: OpenClient | undefined;
  /** Drops a broken connection; a newer connection stays. */
  drop(open: OpenClient): Promise<void>;
  /** Ends it for good. */
  close(): Promise<void>;
}

/** Events of a connection. */
export interface ConnectionListener {
  /** Answers requests of the server; a missing handler is not offered to it. */
  readonly requests: RequestHandlers;
  readonly onToolsChanged: () => void;
}

/** These are the same in every attempt. */
const lasting: ReadonlySet<string> = new Set(["MCP_AUTHORIZATION_REQUIRED", "MCP_SANDBOX_REQUIRED", "MCP_PROTOCOL"]);

/**
 * Makes the connection to a server. It is opened on first use.
 *
 * @param openOne - Opens a connection.
 */
export function createConnection(
  options: McpOptions,
  listener: ConnectionListener,
  openOne: typeof openClient = openClient,
): Connection {
  const { maxAttempts, delayBefore } = backoff(options.reconnect);
  const end = new AbortController();
  let current: OpenClient | undefined;
  let opening: Promise<OpenClient> | undefined;
  let wasOpen = false;

  const open = async (sandbox: SandboxPort | undefined): Promise<OpenClient> => {
    // A server that never worked is more likely misconfigured than temporarily unreachable.
    const attempts = wasOpen ? maxAttempts : 1;
    for (let attempt = 1; ; attempt += 1) {
      await pause(delayBefore(attempt), end.signal);
      try {
        return await openOne(options, { ...listener, sandbox, signal: end.signal });
      } catch (error) {
        if (attempt >= attempts || end.signal.aborted || isLasting(error)) throw error;
      }
    }
  };
  const begin = async (sandbox: SandboxPort | undefined): Promise<OpenClient> => {
    try {
      const made = await open(sandbox);
      if (end.signal.aborted) {
        await made.close();
        throw closed(options);
      }
      wasOpen = true;
      current = made;
      // The end of an earlier connection does not affect this one.
      void made.lost.then(() => {
        if (current === made) current = undefined;
      });
      return made;
    } finally {
      opening = undefined;
    }
  };

  return {
    get current() {
      return current;
    },
    get(signal, sandbox) {
      if (end.signal.aborted) return Promise.reject(closed(options));
      if (current !== undefined) return Promise.resolve(current);
      opening ??= begin(sandbox);
      return untilAborted(opening, signal);
    },
    async drop(one) {
      if (current === one) current = undefined;
      await one.close({ isLost: true });
    },
    async close() {
      if (!end.signal.aborted) end.abort(closed(options));
      const under = opening;
      const last = current;
      current = undefined;
      await last?.close();
      await under?.then(
        () => undefined,
        () => undefined,
      );
    },
  };
}

function isLasting(error: unknown): boolean {
  return lasting.has((error as { readonly code?: string } | null)?.code ?? "");
}

function closed({ name }: McpOptions): McpError {
  return new McpError(
    "MCP_CLOSED",
    name,
    `The connection to the MCP server "${name}" was closed here. Make another one with mcp().`,
  );
}

/** Others may wait for the same opening: one caller that cancels does not end it. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => undefined);
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
