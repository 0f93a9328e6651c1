import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { AuthInfo, McpServer } from "@modelcontextprotocol/server";
import { ownerOf } from "./shared-sessions.ts";
import type { ForeignAnswer, SharedSessions } from "./shared-sessions.ts";

/** Limits of the sessions of clients of 2025-11-25 and earlier. */
export interface SessionLimits {
  /**
   * Maximum number of sessions in a process. A new one beyond it closes the one that was idle longest. Default 1,000.
   */
  readonly max?: number | undefined;
  /** A session that sent no request for this long ends when another request arrives, in milliseconds. Default 1,800,000. */
  readonly idleMs?: number | undefined;
}

interface Session {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Owner of the session, as text. */
  readonly owner: string;
  lastAt: number;
}

/** The sessions of one endpoint. */
export interface HttpSessions {
  fetch(request: Request, authInfo: AuthInfo): Promise<Response>;
  /** Calls a function for each open session. */
  forEach(notify: (server: McpServer) => void): void;
  close(): Promise<void>;
}

/** Sessions that several processes serve. */
export interface SessionSharing {
  readonly shared: SharedSessions;
  /** Accepts an answer to a question that another process asked. */
  readonly onAnswer: (answer: ForeignAnswer, authInfo: AuthInfo) => Promise<void>;
}

/**
 * Serves clients of 2025-11-25 and earlier, each in a session: only there can a server ask them something. A session
 * belongs to the caller that opened it.
 *
 * @param make - Makes the server of a session.
 * @param sharing - Lets other processes serve the sessions too; without it a session lives in one process.
 */
export function httpSessions(
  make: () => McpServer,
  { max = 1_000, idleMs = 1_800_000 }: SessionLimits = {},
  sharing?: SessionSharing,
  now: () => number = Date.now,
): HttpSessions {
  // Sessions in the order of their last request.
  const sessions = new Map<string, Session>();
  /** Ids of sessions that their clients closed here. */
  const closed = new Set<string>();
  const opening = new Map<string, Promise<void>>();
  const end = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.server.close();
  };
  const endIdle = async (): Promise<void> => {
    for (const [id, { lastAt }] of sessions) if (now() - lastAt > idleMs) await end(id);
  };
  const open = async (id: string, request: Request, authInfo: AuthInfo): Promise<Response> => {
    const server = make();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: async () => {
        sessions.set(id, { server, transport, owner: ownerOf(authInfo), lastAt: now() });
        const [oldest] = sessions.keys();
        if (sessions.size > max && oldest !== undefined) await end(oldest);
      },
      onsessionclosed: () => {
        sessions.delete(id);
        if (sharing === undefined) return;
        closed.add(id);
        const [oldest] = closed;
        if (closed.size > max && oldest !== undefined) closed.delete(oldest);
      },
    });
    await server.connect(transport);
    sharing?.shared.connect(transport);
    const response = await transport.handleRequest(request, { authInfo });
    // Only a greeting opens a session; all other requests are already answered.
    if (transport.sessionId === undefined) await server.close();
    return response;
  };
  /** Opens a session here that another process opened first. */
  const openAgain = async (id: string, request: Request, authInfo: AuthInfo): Promise<void> => {
    if (sharing === undefined || closed.has(id)) return;
    const greeting = await sharing.shared.greetingOf(id, request, authInfo);
    if (greeting !== undefined) await (await open(id, greeting, authInfo)).text();
  };

  return {
    async fetch(request, authInfo) {
      await endIdle();
      const id = request.headers.get("mcp-session-id");
      if (id === null) {
        const shared = await sharing?.shared.idFor(request, authInfo);
        return open(shared ?? crypto.randomUUID(), request, authInfo);
      }
      if (!sessions.has(id)) {
        if (!opening.has(id))
          opening.set(
            id,
            openAgain(id, request, authInfo).finally(() => opening.delete(id)),
          );
        await opening.get(id);
      }
      const session = sessions.get(id);
      // Another caller's session counts as missing.
      if (session === undefined || session.owner !== ownerOf(authInfo)) return absent();
      session.lastAt = now();
      sessions.delete(id);
      sessions.set(id, session);
      const foreign = await sharing?.shared.foreignAnswer(request, session.transport, authInfo);
      if (foreign === undefined) return session.transport.handleRequest(request, { authInfo });
      await sharing?.onAnswer(foreign, authInfo);
      return new Response(null, { status: 202 });
    },
    forEach(notify) {
      for (const { server } of sessions.values()) notify(server);
    },
    async close() {
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}

/** The protocol makes the client open a new session. */
function absent(): Response {
  const message =
    "There is no such session in this process. Open a new one with initialize. A session is served by several processes if they have one stateKey and one store; else route requests by their mcp-session-id header, or use protocol 2026-07-28, which needs no session.";
  const error = { code: -32_001, message };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 404 });
}
