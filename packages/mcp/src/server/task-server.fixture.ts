// Serves a shop over a file of runs; each effect is a file in a folder: `task-server.fixture.ts <runs> <effects>`.
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Agent, tool } from "@bailiwick/agent";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { getRequestListener } from "@hono/node-server";
import { z } from "zod";
import { mcpServer } from "./index.ts";

const [path = "", effects = ""] = process.argv.slice(2);
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const refund = tool({
  name: "refund",
  description: "Refunds an order.",
  inputSchema: z.object({ id: z.string() }),
  sideEffectClass: "external-stateful",
  output: { integrity: "verified" },
  // A service that executes a key once: a kill between the effect and its record repeats nothing.
  idempotencyKey: ({ id }) => id,
  execute: ({ id }) => {
    writeFileSync(join(effects, id), "", { flag: "a" });
    return `refunded ${id}`;
  },
});
const agent = new Agent({
  name: "shop",
  model: scriptedModel([]),
  tools: [refund],
  store: sqliteStore({ path }),
  leaseMs: 1_000,
  logger: silent,
});
const handler = mcpServer({
  name: "shop",
  agent,
  tools: [refund],
  questions: "elicit",
  tasks: { afterMs: 0, pollIntervalMs: 50 },
}).http({ authorize: () => ({ userId: "ana" }) });
const listener = getRequestListener(handler.fetch);
const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`));
