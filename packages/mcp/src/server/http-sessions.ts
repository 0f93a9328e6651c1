import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { AuthInfo, McpServer } from "@modelcontextprotocol/server";

/** Limits of the sessions of clients of 2025-11-25 and earlier. */
export interface SessionLimits {
  /** Maximum number of sessions; a new one beyond it ends the one that was silent longest. Default 1,000. */
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
  /** Runs for each session that is open. */
  forEach(notify: (server: McpServer) => void): void;
  close(): Promise<void>;
}

/**
 * Serves clients of 2025-11-25 and earlier, each in a session: only there can a server ask them something. A session
 * belongs to the caller that opened it.
 *
 * @param make - Makes the server of a session.
 */
export function httpSessions(
  make: () => McpServer,
  { max = 1_000, idleMs = 1_800_000 }: SessionLimits = {},
  now: () => number = Date.now,
): HttpSessions {
  // In the order of their last request.
  const sessions = new Map<string, Session>();
  const end = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.server.close();
  };
  const endIdle = async (): Promise<void> => {
    for (const [id, { lastAt }] of sessions) if (now() - lastAt > idleMs) await end(id);
  };
  const open = async (request: Request, authInfo: AuthInfo): Promise<Response> => {
    const server = make();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: async (id) => {
        sessions.set(id, { server, transport, owner: ownerOf(authInfo), lastAt: now() });
        const [oldest] = sessions.keys();
        if (sessions.size > max && oldest !== undefined) await end(oldest);
      },
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request, { authInfo });
    // Anything but a greeting opens no session, and has its answer already.
    if (transport.sessionId === undefined) await server.close();
    return response;
  };

  return {
    async fetch(request, authInfo) {
      await endIdle();
      const id = request.headers.get("mcp-session-id");
      if (id === null) return open(request, authInfo);
      const session = sessions.get(id);
      // Another caller's session is none.
      if (session === undefined || session.owner !== ownerOf(authInfo)) return absent();
      session.lastAt = now();
      sessions.delete(id);
      sessions.set(id, session);
      return session.transport.handleRequest(request, { authInfo });
    },
    forEach(notify) {
      for (const { server } of sessions.values()) notify(server);
    },
    async close() {
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}

function ownerOf({ extra }: AuthInfo): string {
  return JSON.stringify(extra);
}

/** By the protocol, the client opens a new session. */
function absent(): Response {
  const message =
    "There is no such session in this process. Open a new one with initialize. A session lives in one process: where several serve, route requests by their mcp-session-id header, or use protocol 2026-07-28, which needs no session.";
  const error = { code: -32_001, message };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 404 });
}
