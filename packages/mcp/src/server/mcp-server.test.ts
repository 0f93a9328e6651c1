import { fileURLToPath } from "node:url";
import { Agent, memoryStore, tool } from "@bailiwick/agent";
import type { AgentOptions, Tool } from "@bailiwick/agent";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { scriptedModel } from "@bailiwick/testing";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { z } from "zod";
import { agentWith, keepingLogger, resultsOf } from "../agents.test.helper.ts";
import { loopback } from "../http-server.test.helper.ts";
import { mcp } from "../index.ts";
import { anyone, mcpServer } from "./index.ts";
import type { McpHttpServing, McpServerOptions } from "./index.ts";

const keys = { seal: "a key for tests that is long enough" };

/** Tools of every kind, and what they did. */
function shop(): { readonly tools: readonly Tool[]; readonly did: string[] } {
  const did: string[] = [];
  const lookUp = tool({
    name: "look_up",
    description: "Looks up an order.",
    inputSchema: z.object({ id: z.string() }),
    outputSchema: z.object({ id: z.string(), status: z.string() }),
    sideEffectClass: "read-only",
    output: { integrity: "verified" },
    execute: ({ id }) => {
      did.push(`look_up ${id}`);
      return { id, status: "shipped" };
    },
  });
  const refund = tool({
    name: "refund",
    description: "Refunds an order.",
    inputSchema: z.object({ id: z.string(), amount: z.number() }),
    sideEffectClass: "external-stateful",
    output: { integrity: "verified" },
    execute: ({ id, amount }) => {
      did.push(`refund ${id} ${amount}`);
      return `refunded ${amount}`;
    },
  });
  const pin = tool({
    name: "pin",
    description: "Tells the safe's pin.",
    inputSchema: z.object({}),
    outputSchema: z.object({ pin: z.string() }),
    sideEffectClass: "read-only",
    sensitivity: "secret",
    output: { integrity: "verified" },
    execute: () => ({ pin: "pin 7391" }),
  });
  const fails = tool({
    name: "fails",
    description: "Fails.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    output: { integrity: "verified" },
    execute: () => {
      throw new Error("The shelf is empty.");
    },
  });
  const counts = tool({
    name: "counts",
    description: "Counts.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    output: { integrity: "verified" },
    streamingHint: true,
    execute: (_, ctx) => {
      for (const word of ["one", "two"]) ctx.reportProgress({ message: word });
      return "three";
    },
  });
  return { tools: [lookUp, refund, pin, fails, counts], did };
}

/** A served shop, and the official client connected to it. */
async function served(
  given: Partial<McpServerOptions> & {
    readonly agentOptions?: Partial<AgentOptions>;
    readonly http?: Partial<McpHttpServing>;
  } = {},
  clientOptions: { readonly era?: "auto" | "legacy"; readonly answer?: () => object } = {},
) {
  const { agentOptions, http, ...options } = given;
  const { tools, did } = shop();
  const store = memoryStore();
  const model = scriptedModel(["The order is on its way.", "Again."]);
  const logger = keepingLogger();
  const agent = new Agent({ name: "shop", model, tools, store, logger, keys, ...agentOptions });
  const handler = mcpServer({ name: "shop", agent, tools, ...options }).http({
    authorize: anyone,
    ...http,
  });
  const app = new Hono().all("/mcp", (context) => handler.fetch(context.req.raw));
  const server = await loopback((request) => app.fetch(request));
  const { answer, era = "auto" } = clientOptions;
  const client = new Client(
    { name: "test", version: "1" },
    {
      versionNegotiation: { mode: era },
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
    },
  );
  const asked: string[] = [];
  if (answer !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params.message);
      return answer() as never;
    });
  }
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  return {
    client,
    did,
    store,
    asked,
    model,
    url: server.url,
    async [Symbol.asyncDispose]() {
      await client.close();
      await handler.close();
      await server.stop();
    },
  };
}

test("an agent's tools are listed and called by the official client, in both protocols [feature:X100]", async () => {
  for (const era of ["auto", "legacy"] as const) {
    await using world = await served({}, { era });
    expect(world.client.getNegotiatedProtocolVersion()).toBe(era === "auto" ? "2026-07-28" : "2025-11-25");
    const { tools } = await world.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["look_up", "refund", "pin", "fails", "counts"]);
    expect(tools[0]).toMatchObject({ annotations: { readOnlyHint: true }, outputSchema: { type: "object" } });
    expect(tools[1]).toMatchObject({ annotations: { readOnlyHint: false, destructiveHint: true } });
    const result = await world.client.callTool({ name: "look_up", arguments: { id: "A1" } });
    expect(result.structuredContent).toEqual({ id: "A1", status: "shipped" });
    expect(world.did).toEqual(["look_up A1"]);
    // The call needed no model.
    expect(world.model.requests).toEqual([]);
  }
});

test("a served call cannot exceed its rights: wrong arguments, unknown names, failures, secrets [mcp.served-call] [feature:X100]", async () => {
  await using world = await served();
  const wrong = await world.client.callTool({ name: "look_up", arguments: { id: 7 } });
  expect(wrong).toMatchObject({ isError: true });
  expect(JSON.stringify(wrong.content)).toContain("id");
  await expect(world.client.callTool({ name: "nothing", arguments: {} })).rejects.toThrow(/no tool "nothing"/u);
  const fails = await world.client.callTool({ name: "fails", arguments: {} });
  expect(fails).toMatchObject({ isError: true });
  expect(JSON.stringify(fails.content)).toContain("The shelf is empty.");
  const secret = await world.client.callTool({ name: "pin", arguments: {} });
  expect(JSON.stringify(secret)).not.toContain("pin 7391");
  expect(world.did).toEqual([]);
});

test("a client's arguments are untrusted: a writer is refused, unless the operator says that the user drives it [mcp.served-call] [feature:X100]", async () => {
  await using doubted = await served();
  const call = { name: "refund", arguments: { id: "A1", amount: 5 } };
  const refused = await doubted.client.callTool(call);
  expect(refused).toMatchObject({ isError: true });
  expect(JSON.stringify(refused.content)).toContain("none can be asked here");
  expect(doubted.did).toEqual([]);
  // The run must not wait forever.
  const { runs } = await doubted.store
    .listRuns({ limit: 10 })
    .then((list) => ({ runs: list as readonly { state: string }[] }));
  expect(runs.map(({ state }) => state)).toEqual(["cancelled"]);
  await using trusted = await served({ argumentsFrom: "user" });
  expect(await trusted.client.callTool(call)).toMatchObject({ content: [{ type: "text", text: "refunded 5" }] });
  expect(trusted.did).toEqual(["refund A1 5"]);
});

test("the operator reads once why a writer's calls are refused, and what to do [mcp.served-call]", async () => {
  const call = { name: "refund", arguments: { id: "A1", amount: 5 } };
  for (const [questions, why] of [
    ["refuse", 'questions is "refuse"'],
    ["elicit", "offers no form"],
  ] as const) {
    const errors: unknown[] = [];
    await using world = await served({ questions, onError: (error) => void errors.push(error) });
    await world.client.callTool(call);
    await world.client.callTool(call);
    expect(errors).toMatchObject([{ code: "MCP_CALL_REFUSED" }]);
    expect(String(errors[0])).toContain('"refund"');
    expect(String(errors[0])).toContain(why);
    expect(String(errors[0])).toContain('argumentsFrom: "user"');
  }
});

test("a person is asked once about a call of an agent to a served tool, if the server leaves the question to the client [mcp.served-call]", async () => {
  await using world = await served({ argumentsFrom: "user", questions: "elicit" });
  await using shop = mcp({ name: "shop", url: world.url, elicitation: "suspend" });
  const { agent } = agentWith(
    [shop],
    [{ toolCalls: [{ name: "refund", arguments: { id: "A1", amount: 5 } }] }, "Done."],
    { approval: { policy: ["refund"] } },
  );
  const waiting = await agent.run("Handle the complaint.");
  expect(waiting.interruptions).toHaveLength(1);
  expect(world.did).toEqual([]);
  const done = await agent.resume(waiting.runId, [waiting.interruptions[0]?.approve() as never]);
  expect(done.status).toBe("completed");
  expect(world.did).toEqual(["refund A1 5"]);
});

test("a person is asked once, by the server, about a call whose arguments are the person's own text [mcp.served-call]", async () => {
  await using world = await served({ questions: "elicit" });
  const flow = { authority: ["id", "amount"] };
  const tools = { refund: { sideEffectClass: "external-stateful", flow } } as const;
  await using shop = mcp({ name: "shop", url: world.url, tools, elicitation: "suspend" });
  const script = [{ toolCalls: [{ name: "refund", arguments: { id: "A1", amount: 5 } }] }, "Done."];
  const { agent } = agentWith([shop], script);
  const waiting = await agent.run("Refund order A1 with 5.");
  expect(waiting.interruptions).toMatchObject([{ kind: "question", toolName: "refund" }]);
  expect(waiting.interruptions[0]?.question.title).toContain('The MCP server "shop" asks');
  expect(world.did).toEqual([]);
  const content = { approve: true, acknowledged: true };
  const yes = waiting.interruptions[0]?.answer({ action: "accept", content });
  expect(await agent.resume(waiting.runId, [yes as never])).toMatchObject({ status: "completed", interruptions: [] });
  expect(world.did).toEqual(["refund A1 5"]);
});

test("a call that needs approval asks the client's user, who may approve or not [mcp.served-call] [feature:X100] [feature:X102]", async () => {
  const call = { name: "refund", arguments: { id: "A1", amount: 5 } };
  const accept = (approve: boolean) => () => ({ action: "accept", content: { approve } });
  const options = {
    questions: "elicit",
    argumentsFrom: "user",
    agentOptions: { approval: { policy: ["refund"] } },
  } as const;
  await using approved = await served(options, { answer: accept(true) });
  expect(await approved.client.callTool(call)).toMatchObject({ content: [{ text: "refunded 5" }] });
  expect(approved.asked[0]).toMatch(/Refund \(id: A1, amount: 5\)\?[\s\S]*"amount": 5/u);
  expect(approved.did).toEqual(["refund A1 5"]);
  await using rejected = await served(options, { answer: accept(false) });
  expect(await rejected.client.callTool(call)).toMatchObject({ isError: true });
  await using declined = await served(options, { answer: () => ({ action: "decline" }) });
  expect(await declined.client.callTool(call)).toMatchObject({ isError: true });
  // A client without a user to ask.
  await using alone = await served(options);
  expect(await alone.client.callTool(call)).toMatchObject({ isError: true });
  expect([...rejected.did, ...declined.did, ...alone.did]).toEqual([]);
});

test("the state that a client returns with an answer cannot be forged or used by another caller [feature:X101]", async () => {
  let user = "ana";
  const options = {
    questions: "elicit",
    argumentsFrom: "user",
    agentOptions: { approval: { policy: ["refund"] } },
    http: { authorize: () => ({ userId: user }) },
  } as const;
  await using world = await served(options, { answer: () => ({ action: "decline" }) });
  const params = { name: "refund", arguments: { id: "A1", amount: 5 } };
  const first = (await world.client.callTool(params, { allowInputRequired: true })) as unknown as {
    requestState: string;
  };
  const inputResponses = { q0: { action: "accept", content: { approve: true } } };
  const again = (requestState: string) => world.client.callTool({ ...params, inputResponses, requestState } as never);
  await expect(again(`${first.requestState}x`)).rejects.toThrow(/requestState/u);
  user = "bea";
  await expect(again(first.requestState)).rejects.toThrow(/requestState/u);
  expect(world.did).toEqual([]);
  user = "ana";
  expect(await again(first.requestState)).toMatchObject({ content: [{ text: "refunded 5" }] });
  expect(world.did).toEqual(["refund A1 5"]);
});

test("the agent itself is served as a tool, and its progress is reported [feature:X100]", async () => {
  await using world = await served({ ask: { description: "Asks the shop." } });
  const { tools } = await world.client.listTools();
  expect(tools.at(-1)).toMatchObject({ name: "ask_shop", description: "Asks the shop." });
  const answer = await world.client.callTool({ name: "ask_shop", arguments: { question: "Where is A1?" } });
  expect(answer.content).toEqual([{ type: "text", text: "The order is on its way." }]);
  expect(JSON.stringify(world.model.requests[0]?.messages)).toContain("Where is A1?");
  const seen: (string | undefined)[] = [];
  await world.client.callTool(
    { name: "counts", arguments: {} },
    { onprogress: ({ message }) => void seen.push(message) },
  );
  expect(seen).toEqual(["one", "two"]);
});

test("a call of an agent without the question argument is an error, and the model is not called", async () => {
  await using world = await served({ ask: true });
  for (const args of [{}, { message: "Where is A1?" }, { question: "  " }, { question: 7 }]) {
    const answer = await world.client.callTool({ name: "ask_shop", arguments: args });
    expect(answer).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('"question"') as string }],
    });
  }
  expect(world.model.requests).toEqual([]);
  expect(await world.store.listRuns({ limit: 10, allTenants: true })).toEqual([]);
});

test("runs belong to their caller; a refused caller gets the answer of authorize [feature:X100]", async () => {
  await using world = await served({ http: { authorize: () => ({ userId: "ana", tenantId: "acme" }) } });
  await world.client.callTool({ name: "look_up", arguments: { id: "A1" } });
  const runs = (await world.store.listRuns({ limit: 10, tenantId: "acme", userId: "ana" })) as readonly {
    userId?: string;
  }[];
  expect(runs).toMatchObject([{ userId: "ana" }]);
  const { tools } = shop();
  const agent = new Agent({ name: "shop", model: scriptedModel([]), tools, keys, logger: keepingLogger() });
  const closed = mcpServer({ name: "shop", agent, tools }).http({
    authorize: () => new Response("who?", { status: 401 }),
  });
  expect((await closed.fetch(new Request("http://localhost/mcp", { method: "POST" }))).status).toBe(401);
});

test("a tool is announced as idempotent only if its key comes from its input", async () => {
  const writer = (name: string, idempotencyKey?: "call" | ((input: { id: string }) => string)) =>
    tool({
      name,
      description: "Books.",
      sideEffectClass: "side-effecting",
      inputSchema: z.object({ id: z.string() }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      execute: () => "booked",
    });
  const tools = [writer("without"), writer("by_call", "call"), writer("by_input", ({ id }) => id)];
  const agent = new Agent({ name: "shop", model: scriptedModel([]), tools, keys, logger: keepingLogger() });
  const server = mcpServer({ name: "shop", agent, tools }).http({ authorize: anyone });
  const client = new Client({ name: "test", version: "1" });
  const fetched = (url: string | URL, init?: RequestInit) => server.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch: fetched }));
  const listed = (await client.listTools()).tools.map(({ name, annotations }) => [name, annotations?.idempotentHint]);
  expect(listed).toEqual([
    ["without", false],
    ["by_call", false],
    ["by_input", true],
  ]);
  await client.close();
  await server.close();
});

test("a web page and a foreign host name cannot reach the server [feature:X100]", async () => {
  const { tools } = shop();
  const agent = new Agent({ name: "shop", model: scriptedModel([]), tools, keys, logger: keepingLogger() });
  const server = mcpServer({ name: "shop", agent, tools });
  const request = (url: string, origin?: string) =>
    new Request(url, { method: "POST", body: "{}", headers: origin === undefined ? {} : { origin } });
  const { fetch } = server.http({ authorize: anyone });
  expect((await fetch(request("http://rebound.test/mcp"))).status).toBe(403);
  expect((await fetch(request("http://localhost/mcp", "https://evil.test"))).status).toBe(403);
  const open = server.http({ authorize: anyone, allowedHosts: ["shop.test"], allowedOrigins: ["https://app.test"] });
  expect((await open.fetch(request("http://shop.test/mcp", "https://app.test"))).status).not.toBe(403);
  expect(() => server.http({} as never)).toThrow(/needs authorize/u);
  for (const host of ["shop.test:443", "https://shop.test", "Shop.test", "shop.test/mcp", ""]) {
    const serve = () => server.http({ authorize: anyone, allowedHosts: ["localhost", host] });
    expect(serve, host).toThrow(/allowedHosts has/u);
  }
  server.http({ authorize: anyone, allowedHosts: ["[::1]", "127.0.0.1", "a.shop.test"] });
});

test("a stdio server can be called by the official client and by this one [feature:X100]", async () => {
  const args = ["--conditions=@bailiwick/source", fileURLToPath(new URL("./stdio-shop.fixture.ts", import.meta.url))];
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
  expect(await client.callTool({ name: "add", arguments: { a: 1, b: 2 } })).toMatchObject({ content: [{ text: "3" }] });
  await client.close();
  const tools = { add: { sideEffectClass: "read-only" } } as const;
  await using ours = mcp({
    name: "shop",
    command: process.execPath,
    args,
    sandbox: "none",
    tools,
    connectTimeoutMs: 120_000,
  });
  const { agent } = agentWith([ours], [{ toolCalls: [{ name: "add", arguments: { a: 2, b: 2 } }] }, "Done."]);
  expect(resultsOf(await agent.run("go")).join()).toContain("4");
});

test("invalid server options are refused at construction", () => {
  const { tools } = shop();
  const agent = new Agent({ name: "shop", model: scriptedModel([]), tools, keys, logger: keepingLogger() });
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ agent, tools }, /needs a name/u],
    [{ name: "a", tools }, /needs an agent/u],
    [{ name: "a", agent, tools: [], ask: false }, /serves nothing/u],
    [{ name: "a", agent, tools: [...tools, ...tools] }, /two tools are called "look_up"/u],
    [{ name: "a", agent, tools, questions: "ask" }, /use "refuse" or "elicit"/u],
    [{ name: "a", agent, tools, stateKey: "short" }, /shorter than 32/u],
    [{ name: "a", agent, tools, approvals: "elicit" }, /no option "approvals"/u],
  ];
  for (const [options, message] of wrong) expect(() => mcpServer(options as never)).toThrow(message);
});
