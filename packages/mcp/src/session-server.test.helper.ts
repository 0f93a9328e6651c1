import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { McpServer } from "@modelcontextprotocol/server";
import { loopback } from "./http-server.test.helper.ts";
import type { Loopback } from "./http-server.test.helper.ts";
import { trackerServer } from "./tracker.fixture.ts";
import type { TrackerLog } from "./tracker.fixture.ts";

/** A server with sessions, as versions up to 2025-11-25 have them. */
export interface SessionServer extends Loopback {
  readonly log: TrackerLog;
  /** Bodies of the requests that opened a session, with the session that they named. */
  readonly openings: (string | null)[];
  /** Forgets all sessions. */
  expire(): void;
}

/**
 * Serves the tracker with sessions on loopback.
 *
 * @param before - Answers a request itself, or leaves it to the server.
 * @param make - Makes the server of a session; the tracker, by default.
 */
export async function sessionServer(
  before: (request: Request, method: string) => Response | undefined | Promise<Response | undefined> = () => undefined,
  make: (log: TrackerLog) => McpServer = trackerServer,
): Promise<SessionServer> {
  const log: TrackerLog = { calls: [], cancelled: [] };
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const openings: (string | null)[] = [];
  const server = await loopback(async (request) => {
    const id = request.headers.get("mcp-session-id");
    const body = request.method === "POST" ? await request.clone().text() : "";
    const method = (/"method":"([^"]+)"/u.exec(body) ?? [])[1] ?? "";
    const answered = await before(request, method);
    if (answered !== undefined) return answered;
    if (method === "initialize") {
      openings.push(id);
      const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (made) => void sessions.set(made, transport),
      });
      await make(log).connect(transport);
      return transport.handleRequest(request);
    }
    if (id === null) return Response.json(notFound("A session is needed."), { status: 400 });
    const transport = sessions.get(id);
    return transport === undefined
      ? Response.json(notFound("Session not found"), { status: 404 })
      : transport.handleRequest(request);
  });
  return { ...server, log, openings, expire: () => sessions.clear(), [Symbol.asyncDispose]: () => server.stop() };
}

function notFound(message: string): object {
  return { jsonrpc: "2.0", id: null, error: { code: -32_001, message } };
}
