import { Agent, memoryStore, tool } from "@bailiwick/agent";
import type { AgentOptions } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { agentWith, keepingLogger, until } from "../agents.test.helper.ts";
import { loopback } from "../http-server.test.helper.ts";
import { mcp } from "../index.ts";
import { mcpServer } from "./index.ts";
import type { McpServerOptions } from "./index.ts";
import { rpc } from "./task-client.test.helper.ts";

const keys = { seal: "a key for tests that is long enough" };
const tasks = { afterMs: 0, pollIntervalMs: 50 };
const readers = { "*": { sideEffectClass: "read-only" } } as const;

/** The parts of a test whose tool works until it is released. */
function workshop(): {
  readonly tools: NonNullable<McpServerOptions["tools"]> & AgentOptions["tools"];
  readonly did: string[];
  finish(): void;
} {
  const did: string[] = [];
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const work = tool({
    name: "work",
    description: "Works for long.",
    inputSchema: z.object({ topic: z.string() }),
    sideEffectClass: "read-only",
    output: { integrity: "verified" },
    streamingHint: true,
    execute: async ({ topic }, ctx) => {
      ctx.reportProgress({ message: "half" });
      await new Promise<void>((resolve, reject) => {
        void finished.then(resolve);
        ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason as Error));
      });
      did.push(topic);
      return `worked on ${topic}`;
    },
  });
  const refund = tool({
    name: "refund",
    description: "Refunds an order.",
    inputSchema: z.object({ id: z.string() }),
    sideEffectClass: "external-stateful",
    output: { integrity: "verified" },
    execute: ({ id }) => {
      did.push(`refund ${id}`);
      return `refunded ${id}`;
    },
  });
  return { tools: [work, refund] as never, did, finish: () => finish() };
}

/** A server process with its own agent and a shared store. */
async function processOf(
  store: ReturnType<typeof memoryStore>,
  tools: ReturnType<typeof workshop>["tools"],
  given: Partial<McpServerOptions> = {},
) {
  const agent = new Agent({
    name: "shop",
    model: scriptedModel([]),
    tools,
    store,
    logger: keepingLogger(),
    keys,
  });
  const handler = mcpServer({ name: "shop", agent, tools: tools, tasks, ...given }).http({
    authorize: (request) => ({
      userId: request.headers.get("x-user") ?? "ana",
      tenantId: request.headers.get("x-tenant") ?? undefined,
    }),
  });
  const server = await loopback((request) => handler.fetch(request));
  return { ...server, agent, [Symbol.asyncDispose]: () => server.stop() };
}

const call = (name: string, args: object) => ({ name, arguments: args });

test("a long call becomes a task, and the client gets its result when available [mcp.served-tasks]", async () => {
  const { tools, did, finish } = workshop();
  const store = memoryStore();
  await using server = await processOf(store, tools);
  await using client = mcp({ name: "shop", url: server.url, tools: readers });
  const script = [{ toolCalls: [{ name: "work", arguments: { topic: "rain" } }] }, "Done."];
  const run = agentWith([client], script).agent.stream("go");
  const progress: unknown[] = [];
  for await (const event of run) {
    if (event.type !== "tool.progress") continue;
    progress.push(event.message);
    finish();
  }
  const { toolCalls } = await run.result;
  expect(toolCalls).toMatchObject([{ isError: false, output: "worked on rain" }]);
  expect(progress[0]).toBe("half");
  expect(did).toEqual(["rain"]);
  expect(server.requests).toContain("POST tasks/get");
  // A client without support for tasks waits for the result.
  expect(await rpc(server.url, "tools/call", call("work", { topic: "sun" }), { tasks: false })).toMatchObject({
    result: { resultType: "complete", content: [{ text: "worked on sun" }] },
  });
});

test("a client that asks for its task at once finds it, although the store has no record of its run yet [mcp.served-tasks]", async () => {
  const { tools, finish } = workshop();
  const store = memoryStore();
  let write = (): void => undefined;
  const writes = new Promise<void>((resolve) => {
    write = resolve;
  });
  const append = store.append.bind(store);
  store.append = (...given) => {
    store.append = append;
    return writes.then(() => append(...given));
  };
  await using server = await processOf(store, tools);
  const created = await rpc(server.url, "tools/call", call("work", { topic: "rain" }));
  const taskId = String(created.result?.["taskId"]);
  expect((await rpc(server.url, "tasks/get", { taskId })).result).toMatchObject({ status: "working" });
  expect((await rpc(server.url, "tasks/get", { taskId }, { user: "bob" })).error).toMatchObject({ code: -32_602 });
  write();
  finish();
  await until(
    async () => (await rpc(server.url, "tasks/get", { taskId })).result?.["status"] === "completed",
    "the task is completed",
  );
});

test("only its caller can see a task, and only calls of the server are tasks [mcp.served-tasks]", async () => {
  const { tools, did, finish } = workshop();
  const store = memoryStore();
  await using server = await processOf(store, tools);
  const created = await rpc(server.url, "tools/call", call("work", { topic: "rain" }));
  const taskId = String(created.result?.["taskId"]);
  for (const other of [{ user: "bob" }, { user: "ana", tenant: "other" }])
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"])
      expect(await rpc(server.url, method, { taskId, inputResponses: {} }, other)).toMatchObject({
        error: { code: -32_602 },
      });
  expect((await rpc(server.url, "tasks/get", { taskId })).result).toMatchObject({ status: "working" });
  const chat = await new Agent({
    name: "shop",
    model: scriptedModel(["Hi."]),
    store,
    keys,
    logger: keepingLogger(),
  }).run("Hello.", { userId: "ana" });
  expect(await rpc(server.url, "tasks/get", { taskId: chat.runId })).toMatchObject({ error: { code: -32_602 } });
  finish();
  await until(() => did.length === 1, "the work is done");
});

test("an approval requested by one process and given to another executes the call once [mcp.served-tasks]", async () => {
  const { tools, did } = workshop();
  const store = memoryStore();
  await using one = await processOf(store, tools, { questions: "elicit" });
  await using two = await processOf(store, tools, { questions: "elicit" });
  const created = await rpc(one.url, "tools/call", call("refund", { id: "A1" }));
  const taskId = String(created.result?.["taskId"]);
  let asked: Record<string, unknown> = {};
  await until(async () => {
    const { result } = await rpc(two.url, "tasks/get", { taskId });
    asked = (result?.["inputRequests"] ?? {}) as Record<string, unknown>;
    return result?.["status"] === "input_required";
  }, "the task asks");
  const [key = ""] = Object.keys(asked);
  expect(JSON.stringify(asked[key])).toContain("A1");
  expect(did).toEqual([]);
  const inputResponses = { [key]: { action: "accept", content: { approve: true, acknowledged: true } } };
  const answers = [two, one, two].map(({ url }) => rpc(url, "tasks/update", { taskId, inputResponses }));
  for (const answer of await Promise.all(answers)) expect(answer.error).toBeUndefined();
  await until(async () => (await rpc(one.url, "tasks/get", { taskId })).result?.["status"] === "completed", "it ends");
  expect((await rpc(two.url, "tasks/get", { taskId })).result).toMatchObject({
    result: { content: [{ text: "refunded A1" }] },
  });
  expect(did).toEqual(["refund A1"]);
});

test("a dead process's task is resumed by the process that is asked about it [mcp.served-tasks]", async () => {
  const { tools, did, finish } = workshop();
  finish();
  const store = memoryStore();
  await using server = await processOf(store, tools);
  const created = await rpc(server.url, "tools/call", call("work", { topic: "rain" }));
  await until(() => did.length === 1, "the work is done");
  // The same run, left by a process that ended after the first record.
  const { runId: taskId } = await server.agent.fork(String(created.result?.["taskId"]), { atSeq: 1 });
  await until(async () => {
    const { result } = await rpc(server.url, "tasks/get", { taskId });
    return result?.["status"] === "completed";
  }, "the task is resumed");
  expect(did).toEqual(["rain", "rain"]);
});

test("a cancelled task cancels its run, and cancelling a client's run cancels its task [mcp.served-tasks]", async () => {
  const { tools, did } = workshop();
  const store = memoryStore();
  await using server = await processOf(store, tools);
  const created = await rpc(server.url, "tools/call", call("work", { topic: "rain" }));
  const taskId = String(created.result?.["taskId"]);
  expect((await rpc(server.url, "tasks/cancel", { taskId })).result).toEqual(expect.not.objectContaining({ taskId }));
  await until(async () => (await store.getRun(taskId))?.state === "cancelled", "the run is cancelled");
  expect((await rpc(server.url, "tasks/get", { taskId })).result).toMatchObject({ status: "cancelled" });

  await using client = mcp({ name: "shop", url: server.url, tools: readers });
  const stop = new AbortController();
  const script = [{ toolCalls: [{ name: "work", arguments: { topic: "sun" } }] }, "Done."];
  const running = agentWith([client], script).agent.run("go", { signal: stop.signal });
  await until(() => server.requests.filter((one) => one === "POST tasks/get").length > 1, "the task is polled");
  stop.abort();
  expect((await running).status).toBe("cancelled");
  await until(
    async () => (await store.listRuns({ userId: "ana", state: "cancelled" })).length === 2,
    "the second run is cancelled",
  );
  expect(did).toEqual([]);
});

test("a call that its client cancels before it learns the task's id stops its run [mcp.served-tasks]", async () => {
  const { tools, did } = workshop();
  const store = memoryStore();
  const agent = new Agent({ name: "shop", model: scriptedModel([]), tools, store, keys, logger: keepingLogger() });
  const handler = mcpServer({ name: "shop", agent, tools, tasks }).http({ authorize: () => ({ userId: "ana" }) });
  let left: AbortSignal | undefined;
  await using server = await loopback((request) => {
    left = request.signal;
    return handler.fetch(request);
  });
  const leaving = new AbortController();
  // The server reads the run when the call has become a task and the client has disconnected.
  const inspect = agent.inspect.bind(agent);
  agent.inspect = async (runId) => {
    leaving.abort();
    await until(() => left?.aborted === true, "the server notices");
    return inspect(runId);
  };
  await rpc(server.url, "tools/call", call("work", { topic: "rain" }), { signal: leaving.signal }).catch(
    () => undefined,
  );
  await until(async () => (await store.listRuns({ userId: "ana", state: "cancelled" })).length === 1, "the run stops");
  expect(did).toEqual([]);
});

test("a writer that no person can approve ends its task [mcp.served-tasks]", async () => {
  const { tools, did } = workshop();
  await using server = await processOf(memoryStore(), tools);
  const created = await rpc(server.url, "tools/call", call("refund", { id: "A1" }));
  const taskId = String(created.result?.["taskId"]);
  await until(
    async () => (await rpc(server.url, "tasks/get", { taskId })).result?.["status"] === "cancelled",
    "it ends",
  );
  expect((await rpc(server.url, "tasks/get", { taskId })).result?.["statusMessage"]).toContain("No person");
  expect(did).toEqual([]);
});

test("a task is deleted after its time, and clients without tasks get an error that names it [mcp.served-tasks]", async () => {
  const { tools, finish } = workshop();
  finish();
  await using server = await processOf(memoryStore(), tools, {
    tasks: { ...tasks, ttlMs: 1, tools: { refund: { required: true } } },
  });
  const created = await rpc(server.url, "tools/call", call("work", { topic: "rain" }));
  const taskId = String(created.result?.["taskId"]);
  await until(async () => (await rpc(server.url, "tasks/get", { taskId })).error?.code === -32_602, "its time is over");
  const lacking = { error: { code: -32_021, data: { requiredCapabilities: { extensions: expect.anything() } } } };
  expect(await rpc(server.url, "tasks/get", { taskId }, { tasks: false })).toMatchObject(lacking);
  expect(await rpc(server.url, "tools/call", call("refund", { id: "A1" }), { tasks: false })).toMatchObject(lacking);
});

test("task options that cannot be honoured are refused [mcp.served-tasks]", () => {
  const { tools } = workshop();
  const agent = new Agent({ name: "shop", model: scriptedModel([]), logger: keepingLogger() });
  const make = (given: unknown) => () => mcpServer({ name: "shop", agent, tools: tools, tasks: given as never });
  expect(make({ after: 1 })).toThrow('no option "after"');
  expect(make({ afterMs: -1 })).toThrow("tasks.afterMs is -1");
  expect(make({ tools: { paint: {} } })).toThrow('"paint", which is not a tool');
  expect(make({ tools: { work: { required: "yes" } } })).toThrow("use true or false");
  expect(make("yes")).toThrow("tasks is");
});
