// A server of the Model Context Protocol over HTTP on the loopback interface, with a session for each client and a stream
// of notifications that stays open.
import { createServer } from "node:http";

/** @returns {Promise<{ url: string, sessions(): number, close(): void }>} */
export async function startMcpServer() {
  let sessions = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      if (request.method === "GET")
        return void response.writeHead(200, { "content-type": "text/event-stream" }).write(":\n\n");
      if (request.method !== "POST") return void response.writeHead(200).end();
      const { id, method } = JSON.parse(body);
      if (id === undefined) return void response.writeHead(202).end();
      const answer = (/** @type {object} */ rest) => response.end(JSON.stringify({ jsonrpc: "2.0", id, ...rest }));
      response.setHeader("content-type", "application/json");
      if (method === "initialize") {
        sessions += 1;
        response.setHeader("mcp-session-id", `s${sessions}`);
        return answer({
          result: {
            protocolVersion: "2025-06-18",
            capabilities: { tools: { listChanged: true } },
            serverInfo: { name: "tracker", version: "1" },
          },
        });
      }
      if (request.headers["mcp-session-id"] === undefined)
        return answer({ error: { code: -32_601, message: "Method not found" } });
      if (method === "tools/list")
        return answer({
          result: { tools: [{ name: "look", description: "Looks.", inputSchema: { type: "object" } }] },
        });
      if (method === "tools/call") return answer({ result: { content: [{ type: "text", text: "seen" }] } });
      return answer({ error: { code: -32_601, message: "Method not found" } });
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    sessions: () => sessions,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
