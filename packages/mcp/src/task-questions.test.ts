import { Agent, memoryStore, tool } from "@bailiwick/agent";
import type { AgentOptions, RunOutput } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from "@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { expect, test } from "vitest";
import { z } from "zod";
import { agentWith, keepingLogger } from "./agents.test.helper.ts";
import { loopback } from "./http-server.test.helper.ts";
import type { Loopback } from "./http-server.test.helper.ts";
import { mcp } from "./index.ts";
import type { McpOptions } from "./index.ts";
import { mcpServer } from "./server/index.ts";

const book = { toolCalls: [{ name: "book", arguments: { city: "Ghent" } }] };
const writer = { book: { sideEffectClass: "external-stateful" } } as const;
const form = z.object({ seats: z.number().int() });

/** A server whose tool asks its user in the middle of its work. */
interface BookingServer extends Loopback {
  readonly did: string[];
}

/** The official server of 2025-11-25, which runs the tool as a task. */
async function oldServer(): Promise<BookingServer> {
  const did: string[] = [];
  const taskStore = new InMemoryTaskStore();
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const make = (): McpServer => {
    const server = new McpServer(
      { name: "booking", version: "1" },
      {
        capabilities: { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } },
        taskStore,
        taskMessageQueue: new InMemoryTaskMessageQueue(),
      },
    );
    const work = async (taskId: string, city: string): Promise<void> => {
      const requestedSchema = { type: "object", properties: { seats: { type: "integer" } } } as const;
      await taskStore.updateTaskStatus(taskId, "input_required");
      const { content } = await server.server.elicitInput(
        { message: "How many seats?", requestedSchema },
        { relatedTask: { taskId } },
      );
      did.push(`booked ${String(content?.["seats"])}`);
      const text = `booked ${String(content?.["seats"])} in ${city}`;
      await taskStore.storeTaskResult(taskId, "completed", { content: [{ type: "text", text }] });
    };
    server.experimental.tasks.registerToolTask(
      "book",
      { description: "Books.", inputSchema: { city: z.string() }, execution: { taskSupport: "required" } },
      {
        createTask: async ({ city }, extra) => {
          const task = await extra.taskStore.createTask({ ttl: 60_000, pollInterval: 10 });
          work(task.taskId, city).catch((error: unknown) => did.push(String(error)));
          return { task };
        },
        getTask: async (_, { taskId }) => (await taskStore.getTask(taskId)) as never,
        getTaskResult: async (_, { taskId }) => (await taskStore.getTaskResult(taskId)) as never,
      },
    );
    return server;
  };
  const server = await loopback(async (request) => {
    const known = sessions.get(request.headers.get("mcp-session-id") ?? "");
    if (known !== undefined) return known.handleRequest(request);
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await make().connect(transport);
    return transport.handleRequest(request);
  });
  return { ...server, did };
}

/** This project's server, whose tool becomes a task of 2026-07-28. */
async function newServer(): Promise<BookingServer & { forgetTasks(): void }> {
  const did: string[] = [];
  const served = tool({
    name: "book",
    description: "Books.",
    inputSchema: z.object({ city: z.string() }),
    sideEffectClass: "read-only",
    output: { integrity: "verified" },
    execute: async ({ city }, ctx) => {
      const { seats } = await ctx.ask({ question: "How many seats?", key: "seats", schema: form });
      did.push(`booked ${seats}`);
      return `booked ${seats} in ${city}`;
    },
  });
  const agent = new Agent({
    name: "booking",
    model: scriptedModel([]),
    tools: [served],
    store: memoryStore(),
    logger: keepingLogger(),
  });
  const handler = mcpServer({
    name: "booking",
    agent,
    tools: [served],
    questions: "elicit",
    tasks: { afterMs: 0, pollIntervalMs: 10 },
  }).http({ authorize: () => ({ userId: "ana" }) });
  let hasTasks = true;
  const server = await loopback(async (request) => {
    const { id, method } = (await request.clone().json()) as { id: number; method: string };
    if (hasTasks || !method.startsWith("tasks/")) return handler.fetch(request);
    return Response.json({ jsonrpc: "2.0", id, error: { code: -32_602, message: "There is no such task." } });
  });
  return { ...server, did, forgetTasks: () => void (hasTasks = false) };
}

/** A server of 2025-11-25 that asks again whenever the result of its unanswered task is fetched. */
async function askingServer(): Promise<BookingServer> {
  const did: string[] = [];
  const task = (status: string) => ({
    taskId: "t1",
    status,
    ttl: 60_000,
    createdAt: "",
    lastUpdatedAt: "",
    pollInterval: 1,
  });
  const taskMeta = { "io.modelcontextprotocol/related-task": { taskId: "t1" } };
  const capabilities = { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } };
  const results: Readonly<Record<string, () => unknown>> = {
    initialize: () => ({ protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "booking", version: "1" } }),
    "tools/list": () => ({
      tools: [{ name: "book", inputSchema: { type: "object" }, execution: { taskSupport: "required" } }],
    }),
    "tools/call": () => ({ task: task("working") }),
    "tasks/get": () => task(did.length === 0 ? "input_required" : "completed"),
    "tasks/result": () => ({ content: [{ type: "text", text: `${did.join()} in Ghent` }] }),
  };
  let answered = (): void => undefined;
  const server = await loopback(async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const message = (await request.json()) as {
      id?: unknown;
      method?: string;
      result?: { content?: { seats: number } };
    };
    const { id, method = "" } = message;
    if (message.result !== undefined) {
      did.push(`booked ${String(message.result.content?.seats)}`);
      answered();
    }
    if (id === undefined || message.result !== undefined) return new Response(null, { status: 202 });
    const reply = () => ({ jsonrpc: "2.0", id, result: results[method]?.() ?? {} });
    if (method !== "tasks/result" || did.length > 0) return Response.json(reply());
    const requestedSchema = { type: "object", properties: { seats: { type: "integer" } } };
    const params = { message: "How many seats?", requestedSchema, _meta: taskMeta };
    const body = new ReadableStream({
      start(stream) {
        const send = (one: unknown): void =>
          stream.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(one)}\n\n`));
        send({ jsonrpc: "2.0", id: "q1", method: "elicitation/create", params });
        answered = () => {
          send(reply());
          stream.close();
        };
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  return { ...server, did };
}

/** An agent in a separate process, over a store that processes share. */
function processOf(url: string, store: ReturnType<typeof memoryStore>, options: Partial<AgentOptions> = {}) {
  const given: McpOptions = { name: "booking", url, tools: writer, elicitation: "suspend" };
  const client = mcp(given);
  const { agent } = agentWith([client], options.model === undefined ? [book, "Done."] : [], {
    store,
    flow: "off",
    ...options,
  });
  return { agent, [Symbol.asyncDispose]: () => client.close() };
}

const callsOf = ({ requests }: Loopback): number => requests.filter((one) => one === "POST tools/call").length;
const answer = ({ interruptions: [question] }: RunOutput, seats: number) =>
  question?.answer({ action: "accept", content: { seats } }) as never;

const servers = { "2025-11-25": oldServer, "2026-07-28": newServer };

test.each(Object.entries(servers))(
  "a task of %s asks a person while it runs: the run suspends, the task continues, and its call is sent once [mcp.task-questions]",
  async (_version, start) => {
    const server = await start();
    await using _server = { [Symbol.asyncDispose]: () => server.stop() };
    await using one = processOf(server.url, memoryStore());
    const waiting = await one.agent.run("Book.");
    expect(waiting).toMatchObject({ status: "suspended", interruptions: [{ kind: "question", toolName: "book" }] });
    expect(server.requests).not.toContain("POST tasks/cancel");
    const done = await one.agent.resume(waiting.runId, [answer(waiting, 2)]);
    expect(done.toolCalls).toMatchObject([{ isError: false, output: "booked 2 in Ghent" }]);
    expect(server.did).toEqual(["booked 2"]);
    expect(callsOf(server)).toBe(1);
  },
);

test.each([
  ["2025-11-25", askingServer],
  ["2026-07-28", servers["2026-07-28"]],
] as const)(
  "a task of %s whose question was answered after a restart is found again, and its call is not sent again [mcp.task-questions]",
  async (_version, start) => {
    const server = await start();
    await using _server = { [Symbol.asyncDispose]: () => server.stop() };
    const store = memoryStore();
    const one = processOf(server.url, store);
    const waiting = await one.agent.run("Book.");
    expect(waiting.status).toBe("suspended");
    await one[Symbol.asyncDispose]();
    await using other = processOf(server.url, store, { model: scriptedModel(["Done."]) });
    const done = await other.agent.resume(waiting.runId, [answer(waiting, 3)]);
    expect(done.toolCalls).toMatchObject([{ isError: false, output: "booked 3 in Ghent" }]);
    expect(server.did).toEqual(["booked 3"]);
    expect(callsOf(server)).toBe(1);
    expect(server.requests).not.toContain("POST tasks/cancel");
  },
);

test("a task that its server no longer knows makes a writer's outcome unknown, and its call is not sent again [mcp.task-questions]", async () => {
  const server = await newServer();
  await using _server = { [Symbol.asyncDispose]: () => server.stop() };
  await using one = processOf(server.url, memoryStore());
  const waiting = await one.agent.run("Book.");
  expect(waiting.status).toBe("suspended");
  server.forgetTasks();
  const { toolCalls } = await one.agent.resume(waiting.runId, [answer(waiting, 2)]);
  expect(toolCalls).toMatchObject([{ isError: true, error: { kind: "unknown_outcome" } }]);
  expect(JSON.stringify(toolCalls)).toContain("There is no such task");
  expect(server.did).toEqual([]);
  expect(callsOf(server)).toBe(1);
});

test.each(Object.entries(servers))(
  "a function answers the question of a task of %s at once [mcp.task-questions]",
  async (_version, start) => {
    const server = await start();
    await using _server = { [Symbol.asyncDispose]: () => server.stop() };
    const asked: unknown[] = [];
    await using client = mcp({
      name: "booking",
      url: server.url,
      tools: writer,
      elicitation: ({ server: from, message }) => {
        asked.push({ from, message });
        return { action: "accept", content: { seats: 4 } };
      },
    });
    const { toolCalls } = await agentWith([client], [book, "Done."], { flow: "off" }).agent.run("Book.");
    expect(toolCalls).toMatchObject([{ isError: false, output: "booked 4 in Ghent" }]);
    expect(asked).toEqual([{ from: "booking", message: expect.stringContaining("How many seats?") }]);
    expect(server.did).toEqual(["booked 4"]);
  },
);
