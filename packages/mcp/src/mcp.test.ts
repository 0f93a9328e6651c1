import { fileURLToPath } from "node:url";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { agentWith, resultsOf } from "./agents.test.helper.ts";
import { loopback } from "./http-server.test.helper.ts";
import { mcp } from "./index.ts";
import { trackerServer } from "./tracker.fixture.ts";
import type { TrackerLog } from "./tracker.fixture.ts";

const program = fileURLToPath(new URL("./stdio-tracker.fixture.ts", import.meta.url));
const stdio = { command: process.execPath, args: [program], sandbox: "none" } as const;
const reads = { "list_*": { sideEffectClass: "read-only" } } as const;
const list = { toolCalls: [{ name: "list_issues", arguments: {} }] };

test("feature:S042 a program's tools are taken over stdio by the first run that needs them", async () => {
  await using tracker = mcp({ name: "tracker", ...stdio, tools: reads });
  const { agent, model } = agentWith([tracker], [list, "Done."]);
  const output = await agent.run("What is open?");
  expect(output.status).toBe("completed");
  expect(resultsOf(output).join()).toContain("#1 Broken link");
  expect(model.requests[0]?.tools?.map((one) => ("name" in one ? one.name : ""))).toContain("create_issue");
});

test("feature:S042 feature:X101 a server on HTTP is spoken to without a session in 2026-07-28", async () => {
  const log: TrackerLog = { calls: [], cancelled: [] };
  const handler = createMcpHandler(() => trackerServer(log));
  await using server = await loopback((request) => handler.fetch(request));
  await using tracker = mcp({ name: "tracker", url: server.url, tools: reads });
  const { agent } = agentWith([tracker], [list, "Done."]);
  const output = await agent.run("What is open?");
  expect(resultsOf(output).join()).toContain("#1 Broken link");
  expect(await tracker.connect()).toMatchObject({ protocolVersion: "2026-07-28" });
  expect(server.requests).toContain("POST server/discover");
  expect(server.requests).not.toContain("POST initialize");
});
