import { createMcpHandler } from "@modelcontextprotocol/server";
import { afterEach, expect, test, vi } from "vitest";
import { acting, agentWith } from "./agents.test.helper.ts";
import { loopback } from "./http-server.test.helper.ts";
import { mcp } from "./index.ts";
import { sessionServer } from "./session-server.test.helper.ts";
import { stepsServer } from "./steps.fixture.ts";

const tools = { work: { sideEffectClass: "read-only" } } as const;
const work = { toolCalls: [{ name: "work", arguments: {} }] };

/** Timers are paused, so the test does not depend on the speed of the machine. */
async function untilSo(isSo: () => boolean): Promise<void> {
  for (let turns = 0; !isSo(); turns += 1) {
    if (turns > 5_000_000) throw new Error("It never came to this.");
    await new Promise(setImmediate);
  }
}

afterEach(() => void vi.useRealTimers());

test("progress extends the time-out of a call if configured, and reaches observers [field-bug:PB-mcp-13]", async () => {
  const steps = stepsServer();
  const handler = createMcpHandler(steps.make);
  await using server = await loopback((request) => handler.fetch(request));
  await using client = mcp({ name: "steps", url: server.url, tools, timeoutMs: 60, resetTimeoutOnProgress: true });
  await client.connect();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { agent } = agentWith([client], [work, "Done."]);
  const run = agent.stream("go");
  const seen: unknown[] = [];
  const watching = (async () => {
    for await (const event of run) if (event.type === "tool.progress") seen.push([event.message, event.fraction]);
  })();
  await untilSo(() => steps.begun.length === 1);
  for (let step = 1; step <= 5; step += 1) {
    await steps.step();
    await untilSo(() => seen.length === step);
    // Five times 40 ms: more than the time of the call, never without progress for that long.
    vi.advanceTimersByTime(40);
  }
  steps.finish();
  const output = await run.result;
  await watching;
  expect(output.toolCalls).toMatchObject([{ isError: false, output: "worked" }]);
  expect(seen[4]).toEqual(["step 5", 0.5]);
  vi.useRealTimers();
  await handler.close();
});

test("without progress the call times out, and the server is asked to stop [field-bug:PB-mcp-13]", async () => {
  const steps = stepsServer();
  const handler = createMcpHandler(steps.make);
  await using server = await loopback((request) => handler.fetch(request));
  await using client = mcp({ name: "steps", url: server.url, tools, timeoutMs: 60, resetTimeoutOnProgress: true });
  await client.connect();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { agent } = agentWith([client], [work, "Done."]);
  const running = agent.run("go");
  await untilSo(() => steps.begun.length === 1);
  vi.advanceTimersByTime(61);
  const { toolCalls } = await running;
  expect(toolCalls).toMatchObject([{ isError: true, error: { kind: "timeout" } }]);
  await untilSo(() => steps.cancelled.length === 1);
  vi.useRealTimers();
  await handler.close();
});

test("cancelling a run cancels the call at the server, in both protocols", async () => {
  const steps = stepsServer();
  const handler = createMcpHandler(steps.make);
  await using server = await loopback((request) => handler.fetch(request));
  await using client = mcp({ name: "steps", url: server.url, tools });
  const stop = new AbortController();
  const running = agentWith([client], [work, "Done."]).agent.run("go", { signal: stop.signal });
  await untilSo(() => steps.begun.length === 1);
  stop.abort();
  expect((await running).status).toBe("cancelled");
  await untilSo(() => steps.cancelled.length === 1);
  await handler.close();

  await using sessions = await sessionServer();
  const hangs = { toolCalls: [{ name: "hangs", arguments: {} }] };
  const reads = { hangs: { sideEffectClass: "read-only" } } as const;
  await using old = mcp({ name: "old", url: sessions.url, protocol: "legacy", tools: reads });
  const again = new AbortController();
  const other = agentWith([old], [hangs, "Done."]).agent.run("go", { signal: again.signal });
  await untilSo(() => sessions.log.calls.length === 1);
  again.abort();
  expect((await other).status).toBe("cancelled");
  await untilSo(() => sessions.log.cancelled.length === 1);
});

test("private data is not sent in the arguments of a server's reader without asking [flow.r5.mcp-and-search]", async () => {
  await using server = await sessionServer();
  const reads = { "*": { sideEffectClass: "read-only" } } as const;
  await using tracker = mcp({ name: "tracker", url: server.url, protocol: "legacy", tools: reads });
  const { tool } = await import("@bailiwick/agent");
  const salary = tool({
    name: "salary",
    description: "Returns the salary of a person.",
    inputSchema: { type: "object" },
    sideEffectClass: "read-only",
    output: { integrity: "verified", readers: ["user:ana"] },
    execute: () => "4711 francs a month",
  });
  const { agent } = agentWith(
    [tracker],
    acting(
      { toolCalls: [{ name: "salary", arguments: {} }] },
      { toolCalls: [{ name: "weather", arguments: { city: "4711 francs a month" } }] },
      "Done.",
    ),
    { tools: [salary], userId: "ana", flow: { mode: "enforce", planner: false } },
  );
  const output = await agent.run("What do I earn, and how is the weather?");
  expect(output.interruptions.map(({ toolName, question }) => [toolName, question.developer.rules[0]])).toEqual([
    ["weather", "R4"],
  ]);
  expect(server.log.calls).toEqual([]);
});
