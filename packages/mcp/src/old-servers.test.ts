import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { agentWith, resultsOf } from "./agents.test.helper.ts";
import { mcp } from "./index.ts";
import { trackerServer } from "./tracker.fixture.ts";

const tools = { "*": { sideEffectClass: "read-only" } } as const;
const list = { toolCalls: [{ name: "list_issues", arguments: {} }] };

/** The transport of 2024: one stream for all messages of the server, and an address for those of the client. */
async function sseServer(): Promise<AsyncDisposable & { readonly url: string }> {
  const streams = new Set<ServerResponse>();
  let transport: Transport | undefined;
  const server = createServer((request, response) => {
    if (request.method === "GET") {
      streams.add(response);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("event: endpoint\ndata: /messages\n\n");
      const made: Transport = {
        start: async () => undefined,
        send: async (message) => void response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
        close: async () => void response.end(),
      };
      transport = made;
      void trackerServer().connect(made);
      return;
    }
    let body = "";
    request.on("data", (piece: Buffer) => {
      body += piece.toString();
    });
    request.on("end", () => {
      response.writeHead(202).end();
      transport?.onmessage?.(JSON.parse(body) as JSONRPCMessage);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`,
    async [Symbol.asyncDispose]() {
      for (const stream of streams) stream.end();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("a server with the 2024 transport is used over its event stream [feature:S042]", async () => {
  await using server = await sseServer();
  await using tracker = mcp({ name: "tracker", url: server.url, transport: "sse", protocol: "legacy", tools });
  const { agent } = agentWith([tracker], [list, "Done."]);
  expect(resultsOf(await agent.run("go")).join()).toContain("#1 Broken link");
});

test("a stdio server that exits on the version request is restarted and initialized with its own version [feature:X101]", async () => {
  const program = fileURLToPath(new URL("./old-tracker.fixture.ts", import.meta.url));
  await using tracker = mcp({
    name: "tracker",
    command: process.execPath,
    args: [program],
    sandbox: "none",
    tools,
    connectTimeoutMs: 120_000,
  });
  const { agent } = agentWith([tracker], [list, "Done."]);
  expect(resultsOf(await agent.run("go")).join()).toContain("#1 Broken link");
  expect(await tracker.connect()).toMatchObject({ protocolVersion: "2025-11-25" });
});
