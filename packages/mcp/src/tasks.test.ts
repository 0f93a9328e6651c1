import { expect, test } from "vitest";
import { agentWith, until } from "./agents.test.helper.ts";
import { loopback } from "./http-server.test.helper.ts";
import { mcp } from "./index.ts";

const research = { toolCalls: [{ name: "research", arguments: { topic: "rain" } }] };
const tools = { research: { sideEffectClass: "read-only" } } as const;

/**
 * A server of 2025-11-25 with a tool that runs as a task and ends after `looks` polls. `answer` replaces the answer to
 * a poll.
 */
async function taskServer(looks: number, answer?: (task: object) => unknown, created?: Promise<void>) {
  const seen: string[] = [];
  let left = looks;
  const task = (status: string) => ({
    taskId: "t1",
    status,
    statusMessage: `${left} left`,
    ttl: 60_000,
    createdAt: "2026-01-01T00:00:00Z",
    lastUpdatedAt: "2026-01-01T00:00:00Z",
    pollInterval: 1,
  });
  const results: Readonly<Record<string, (params: Record<string, unknown>) => unknown>> = {
    initialize: () => ({
      protocolVersion: "2025-11-25",
      capabilities: { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } },
      serverInfo: { name: "research", version: "1" },
    }),
    "tools/list": () => ({
      tools: [{ name: "research", inputSchema: { type: "object" }, execution: { taskSupport: "required" } }],
    }),
    "tools/call": (params) => {
      expect(params["task"]).toBeDefined();
      return { task: task("working") };
    },
    "tasks/get": () => {
      const now = task((left -= 1) > 0 ? "working" : "completed");
      return answer === undefined ? now : answer(now);
    },
    "tasks/result": () => ({ content: [{ type: "text", text: "It rained." }] }),
    "tasks/cancel": () => task("cancelled"),
  };
  const server = await loopback(async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const message = (await request.json()) as { id?: number; method: string; params?: Record<string, unknown> };
    seen.push(message.method);
    if (message.method === "tools/call") await created;
    if (message.id === undefined) return new Response(null, { status: 202 });
    const result = results[message.method]?.(message.params ?? {});
    if (result === undefined)
      return Response.json({ jsonrpc: "2.0", id: message.id, error: { code: -32_601, message: "Method not found" } });
    return Response.json({ jsonrpc: "2.0", id: message.id, result });
  });
  return { ...server, seen, [Symbol.asyncDispose]: () => server.stop() };
}

test("a tool that runs as a task is called and polled, and its result returned [mcp.tasks]", async () => {
  await using server = await taskServer(3);
  await using client = mcp({ name: "research", url: server.url, protocol: "legacy", tools });
  const run = agentWith([client], [research, "Done."]).agent.stream("go");
  const progress: unknown[] = [];
  for await (const event of run) if (event.type === "tool.progress") progress.push(event.message);
  const { toolCalls } = await run.result;
  expect(toolCalls).toMatchObject([{ isError: false, output: "It rained." }]);
  expect(progress).toEqual(["3 left", "2 left", "1 left"]);
  expect(server.seen.filter((method) => method === "tasks/get")).toHaveLength(3);
});

test("cancelling the run cancels the task [mcp.tasks]", async () => {
  await using server = await taskServer(1_000_000);
  await using client = mcp({ name: "research", url: server.url, protocol: "legacy", tools });
  const stop = new AbortController();
  const running = agentWith([client], [research, "Done."]).agent.run("go", { signal: stop.signal });
  await until(() => server.seen.includes("tasks/get"), "the task is polled");
  stop.abort();
  expect((await running).status).toBe("cancelled");
  await until(() => server.seen.includes("tasks/cancel"), "the task is cancelled");
});

test("a run that is stopped while its task is created cancels the task once the server names it [mcp.tasks]", async () => {
  let name = (): void => undefined;
  const created = new Promise<void>((resolve) => (name = resolve));
  await using server = await taskServer(1_000_000, undefined, created);
  await using client = mcp({ name: "research", url: server.url, protocol: "legacy", tools });
  const stop = new AbortController();
  const running = agentWith([client], [research, "Done."]).agent.run("go", { signal: stop.signal });
  await until(() => server.seen.includes("tools/call"), "the task is created");
  stop.abort();
  expect((await running).status).toBe("cancelled");
  name();
  await until(() => server.seen.includes("tasks/cancel"), "the task is cancelled");
});

test("an invalid task status fails the call, and an invalid delay is ignored [mcp.tasks]", async () => {
  await using broken = await taskServer(3, () => ({ pollInterval: "soon" }));
  await using client = mcp({ name: "research", url: broken.url, protocol: "legacy", tools });
  const { toolCalls } = await agentWith([client], [research, "Done."]).agent.run("go");
  expect(toolCalls).toMatchObject([{ isError: true }]);
  expect(broken.seen.filter((method) => method === "tasks/get")).toHaveLength(1);

  await using odd = await taskServer(1, (task) => ({ ...task, pollInterval: "soon" }));
  await using other = mcp({ name: "research", url: odd.url, protocol: "legacy", tools });
  const second = await agentWith([other], [research, "Done."]).agent.run("go");
  expect(second.toolCalls).toMatchObject([{ isError: false, output: "It rained." }]);
});
