import { once } from "node:events";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { neonConfig, Pool } from "@neondatabase/serverless";
import { createAgentRuntime, tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { postgresStore } from "./postgres-store.ts";
import { temporarySchema, testUrl } from "./temporary-schema.fixture.ts";

/** Carries a database's protocol over WebSockets, as the vendor's proxy does. */
async function proxy(): Promise<{ readonly address: string } & AsyncDisposable> {
  const target = new URL(testUrl);
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  server.on("connection", (near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    near.on("message", (data: Buffer) => far.write(data));
    near.on("close", () => far.destroy());
    near.on("error", () => far.destroy());
    far.on("data", (data) => near.send(data));
    far.on("close", () => near.close());
    far.on("error", () => near.close());
  });
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const client of server.clients) client.terminate();
      server.close();
      await once(server, "close");
    },
  };
}

test("Neon's driver over WebSockets: a run waits for a person, and another store continues it", async () => {
  await using place = temporarySchema();
  await using over = await proxy();
  neonConfig.webSocketConstructor = WebSocket;
  neonConfig.wsProxy = () => over.address;
  neonConfig.useSecureWebSocket = false;
  neonConfig.pipelineConnect = false;
  neonConfig.pipelineTLS = false;
  const pool = new Pool({ connectionString: testUrl });
  const open = () => postgresStore({ pool, schema: place.schema, notifications: "poll", pollMs: 50 });
  const sent: string[] = [];
  const pay = tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({ to: z.string() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval: true,
    execute: ({ to }) => sent.push(to),
  });
  const model = scriptedModel([{ toolCalls: [{ name: "pay", arguments: { to: "Ana" } }] }, "Paid."]);
  const agent = (store: ReturnType<typeof open>) =>
    createAgentRuntime({
      name: "clerk",
      model,
      tools: [pay],
      store,
    });
  const first = open();
  const asked = await agent(first).run("Pay Ana.");
  expect(asked.status).toBe("suspended");
  await first.close();
  const second = open();
  const done = await agent(second).resume(
    asked.runId,
    asked.interruptions.map((one) => one.approve()),
  );
  expect(done.status).toBe("completed");
  expect(sent).toEqual(["Ana"]);
  await second.close();
  await pool.end();
});
