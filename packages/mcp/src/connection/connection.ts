import type { SandboxPort } from "@bailiwick/core";
import { McpError } from "../errors.ts";
import type { McpOptions } from "../options.ts";
import { backoff, pause } from "./backoff.ts";
import { fateAfter } from "./fate.ts";
import type { Fate } from "./fate.ts";
import { openClient } from "./open-client.ts";
import type { OpenClient } from "./open-client.ts";
import type { RequestHandlers } from "./request-handlers.ts";

/** The run or the caller that makes a request. */
export interface Asking {
  readonly signal: AbortSignal;
  readonly sandbox?: SandboxPort | undefined;
}

/** The connection to a server, shared by all runs. */
export interface Connection {
  /**
   * Makes a request on the connection. It is opened if there is none: once on first use, later as often as `reconnect`
   * allows. A failure belongs to this request. If the connection is not to be used again, later requests get a new
   * one, and this one is closed when its last request has ended.
   *
   * @param request - Gets the connection for the time until it settles.
   * @throws McpError if there is no connection; the signal's reason if it is aborted; the error of the request.
   */
  use<T>(asking: Asking, request: (open: OpenClient) => Promise<T>): Promise<T>;
  /** The connection that new requests use; `undefined` if the next request opens one. */
  readonly current: OpenClient | undefined;
  /** Ends it for good. */
  close(): Promise<void>;
}

/** Events of a connection. */
export interface ConnectionListener {
  /** Answers requests of the server; a missing handler is not offered to it. */
  readonly requests: RequestHandlers;
  readonly onToolsChanged: () => void;
}

/** One connection, from its opening to its end. */
interface Line {
  /** Ends the opening. It belongs to the request of the host in which the connection was opened. */
  readonly scope: AbortController;
  readonly open: OpenClient;
  /** Requests that have not ended. */
  users: number;
  isRetired: boolean;
  /** A request on it got no answer. */
  isDoubted: boolean;
  probing?: Promise<boolean> | undefined;
  closing?: Promise<void> | undefined;
}

interface Opening {
  readonly scope: AbortController;
  readonly line: Promise<Line>;
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
  /** The current connection, and retired ones that are not closed yet. */
  const lines = new Set<Line>();
  let current: Line | undefined;
  let opening: Opening | undefined;
  let wasOpen = false;
  let isClosed = false;

  const close = (line: Line): Promise<void> =>
    (line.closing ??= line.open
      .close()
      .catch(() => undefined)
      .finally(() => lines.delete(line)));
  const retire = (line: Line): void => {
    line.isRetired = true;
    if (current === line) current = undefined;
    if (!isOfThisRequest(line.scope)) lines.delete(line);
    else if (line.users === 0) void close(line);
  };
  const meet: Readonly<Record<Fate, (line: Line) => void>> = {
    kept: () => undefined,
    doubted: (line) => void (line.isDoubted = true),
    retired: retire,
  };

  const open = async (sandbox: SandboxPort | undefined, { signal }: AbortController): Promise<OpenClient> => {
    // A program that is being ended may still hold its files.
    for (const { closing, open: program } of lines) if (program.ended !== undefined) await closing;
    // A server that never worked is more likely misconfigured than temporarily unreachable.
    const attempts = wasOpen ? maxAttempts : 1;
    for (let attempt = 1; ; attempt += 1) {
      await pause(delayBefore(attempt), signal);
      try {
        return await openOne(options, { ...listener, sandbox, signal });
      } catch (error) {
        if (attempt >= attempts || signal.aborted || isLasting(error)) throw error;
      }
    }
  };
  const begin = (sandbox: SandboxPort | undefined): Opening => {
    const scope = new AbortController();
    const made = async (): Promise<Line> => {
      try {
        const line: Line = { scope, open: await open(sandbox, scope), users: 0, isRetired: false, isDoubted: false };
        if (isClosed) {
          await line.open.close();
          throw closed(options);
        }
        wasOpen = true;
        lines.add(line);
        current = line;
        // The end of an earlier connection does not affect this one.
        void line.open.lost.then(() => retire(line));
        return line;
      } finally {
        if (opening === begun) opening = undefined;
      }
    };
    const begun: Opening = { scope, line: made() };
    return begun;
  };
  /** True if a connection without an answer to its last request still answers. */
  const stillAnswers = (line: Line): Promise<boolean> =>
    (line.probing ??= line.open.answers().then((answers) => {
      line.probing = undefined;
      line.isDoubted = false;
      if (!answers) retire(line);
      return answers;
    }));

  const take = async ({ signal, sandbox }: Asking): Promise<Line> => {
    let hasJoined = false;
    for (;;) {
      if (isClosed) throw closed(options);
      // Some hosts bind a connection to the request of theirs in which it was opened.
      if (current !== undefined && !isOfThisRequest(current.scope)) retire(current);
      if (current === undefined) {
        const isOwn: boolean = hasJoined || opening === undefined || !isOfThisRequest(opening.scope);
        if (opening === undefined || !isOfThisRequest(opening.scope)) opening = begin(sandbox);
        let made: Line;
        try {
          made = await untilAborted(opening.line, signal);
        } catch (error) {
          // The opening of another run has failed: one failed request leaves this run its own attempt.
          if (isOwn || isClosed || signal.aborted || isLasting(error)) throw error;
          hasJoined = true;
          continue;
        }
        if (made.isRetired) continue;
        made.users += 1;
        return made;
      }
      const line = current;
      if (line.isDoubted && !(await untilAborted(stillAnswers(line), signal))) continue;
      if (line.isRetired) continue;
      line.users += 1;
      return line;
    }
  };

  return {
    get current() {
      return current?.open;
    },
    async use(asking, request) {
      const line = await take(asking);
      try {
        return await request(line.open);
      } catch (error) {
        meet[fateAfter(error, line.open, asking.signal)](line);
        throw error;
      } finally {
        line.users -= 1;
        if (line.isRetired && line.users === 0) void close(line);
      }
    },
    async close() {
      isClosed = true;
      const under = opening;
      if (under !== undefined && isOfThisRequest(under.scope)) under.scope.abort(closed(options));
      current = undefined;
      await Promise.all([...lines].map(close));
      await under?.line.then(
        () => undefined,
        () => undefined,
      );
    },
  };
}

/**
 * False on a host that binds streams and signals to one of its requests, such as Cloudflare Workers, for a signal of
 * another request: there, reading it throws.
 */
function isOfThisRequest({ signal }: AbortController): boolean {
  try {
    void signal.aborted;
    return true;
  } catch {
    return false;
  }
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
