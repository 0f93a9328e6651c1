import { Agent, memoryStore, tool } from "@bailiwick/agent";
import type { Tool } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { keepingLogger, until } from "../agents.test.helper.ts";
import { loopback } from "../http-server.test.helper.ts";
import { mcpServer } from "./index.ts";
import type { McpHttpHandler } from "./index.ts";
import { connected, eras } from "./served.test.helper.ts";
import { rpc } from "./task-client.test.helper.ts";

const keys = { seal: "a key for tests that is long enough" };
const stateKey = "a key that all processes have, of 32 bytes";

/** Two processes that serve one agent's tool over one store, behind an address that alternates between them. */
async function twoProcesses(
  given: { readonly stateKey?: string | undefined; readonly to?: (request: Request, method: string) => number } = {
    stateKey,
  },
) {
  const did: string[] = [];
  const refund = tool({
    name: "refund",
    description: "Refunds an order.",
    inputSchema: z.object({ id: z.string() }),
    sideEffectClass: "external-stateful",
    output: { integrity: "verified" },
    execute: ({ id }) => {
      did.push(id);
      return `refunded ${id}`;
    },
  });
  const store = memoryStore();
  let isGone = false;
  /** The store of the first process; once the process is gone, nothing reaches the store any more. */
  const storeOfFirst = new Proxy(store, {
    get(target, name) {
      const member = target[name as keyof typeof target] as unknown;
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]) => (isGone ? new Promise(() => undefined) : member.apply(target, args));
    },
  });
  const process = (own: typeof store): McpHttpHandler => {
    const tools: readonly Tool[] = [refund];
    const agent = new Agent({
      name: "shop",
      model: scriptedModel([]),
      tools,
      store: own,
      logger: keepingLogger(),
      keys,
    });
    return mcpServer({ name: "shop", agent, tools, questions: "elicit", stateKey: given.stateKey }).http({
      authorize: (request) => ({ userId: request.headers.get("x-user") ?? "ana" }),
    });
  };
  const processes = [process(storeOfFirst), process(store)];
  const seen: string[] = [];
  let turn = 0;
  const server = await loopback(async (request) => {
    const body = request.method === "POST" ? await request.clone().text() : "";
    const method = (/"method":"([^"]+)"/u.exec(body) ?? [])[1] ?? (body === "" ? request.method : "answer");
    const at = given.to?.(request, method) ?? turn++ % 2;
    seen.push(`${method} ${at}`);
    return (processes[at] as McpHttpHandler).fetch(request);
  });
  return {
    url: server.url,
    did,
    seen,
    store,
    crash: () => {
      isGone = true;
    },
    async [Symbol.asyncDispose]() {
      for (const one of processes) await one.close();
      await server.stop();
    },
  };
}

const accept = () => ({ action: "accept", content: { approve: true, acknowledged: true } });
const call = { name: "refund", arguments: { id: "A1" } };

test("an approval requested by one process and given to another completes the call once [mcp.shared-sessions]", async () => {
  for (const era of eras) {
    // The first process sends the questions, and the answers reach the second.
    await using world = await twoProcesses({ stateKey, to: (_, method) => (method === "answer" ? 1 : 0) });
    await using client = await connected(world.url, era, accept);
    expect((await client.callTool(call)).content).toEqual([{ type: "text", text: "refunded A1" }]);
    expect(world.did).toEqual(["A1"]);
    if (era === "legacy") expect(world.seen).toContain("answer 1");
    const runs = await world.store.listRuns({ userId: "ana" });
    expect(runs).toMatchObject([{ state: "completed" }]);
  }
});

test("a session is served by each process that has the key, in turns [mcp.shared-sessions]", async () => {
  await using world = await twoProcesses();
  await using client = await connected(world.url, "legacy", accept);
  for (const id of ["A1", "A2", "A3"]) {
    const { content } = await client.callTool({ name: "refund", arguments: { id } });
    expect(content).toEqual([{ type: "text", text: `refunded ${id}` }]);
    expect((await client.listTools()).tools).toHaveLength(1);
  }
  expect(world.did).toEqual(["A1", "A2", "A3"]);
  expect(new Set(world.seen.filter((one) => one.startsWith("tools/call")))).toEqual(
    new Set(["tools/call 0", "tools/call 1"]),
  );
});

test("a declined approval in another process ends the call, and a repeated answer counts once [mcp.shared-sessions]", async () => {
  let content: object = { approve: false };
  await using world = await twoProcesses({ stateKey, to: (_, method) => (method === "answer" ? 1 : 0) });
  await using client = await connected(world.url, "legacy", () => ({ action: "accept", content }));
  expect(await client.callTool(call)).toMatchObject({ isError: true });
  expect(world.did).toEqual([]);
  content = { approve: true, acknowledged: true };
  const [one, two] = await Promise.all([client.callTool(call), client.callTool(call)]);
  expect([one.isError, two.isError]).toEqual([undefined, undefined]);
  expect(world.did).toEqual(["A1", "A1"]);
});

test("an approved call is completed by the process that got the approval, if the asking process is gone [mcp.shared-sessions]", async () => {
  await using world = await twoProcesses({ stateKey, to: (_, method) => (method === "answer" ? 1 : 0) });
  const stop = new AbortController();
  await using client = await connected(world.url, "legacy", () => {
    world.crash();
    return accept();
  });
  const lost = client.callTool(call, { signal: stop.signal }).catch(() => "lost");
  await until(() => world.did.length === 1, "the approved call is executed");
  stop.abort();
  expect(await lost).toBe("lost");
  expect(world.did).toEqual(["A1"]);
});

test("a session belongs to the caller who opened it, in each process, and ends when its client closes it [mcp.shared-sessions]", async () => {
  await using world = await twoProcesses();
  const post = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(world.url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
    });
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const session = (await post({ method: "initialize", params })).headers.get("mcp-session-id") ?? "";
  const list = { method: "tools/list", params: {} };
  // Another process that has not seen the session yet.
  expect((await post(list, { "mcp-session-id": session, "x-user": "bob" })).status).toBe(404);
  for (const expected of [200, 200]) expect((await post(list, { "mcp-session-id": session })).status).toBe(expected);
  for (const _ of [1, 2]) expect((await post(list, { "mcp-session-id": session, "x-user": "bob" })).status).toBe(404);
  for (const made of [`${session}x`, "v1.e30.x", crypto.randomUUID()])
    expect((await post(list, { "mcp-session-id": made })).status).toBe(404);
  for (const _ of [1, 2])
    expect((await fetch(world.url, { method: "DELETE", headers: { "mcp-session-id": session } })).status).toBe(200);
  for (const _ of [1, 2]) expect((await post(list, { "mcp-session-id": session })).status).toBe(404);
});

test("without a key a session works in one process only, and another tells the client to open a new one [mcp.shared-sessions]", async () => {
  await using world = await twoProcesses({ to: (_, method) => (method === "tools/list" ? 1 : 0) });
  await using client = await connected(world.url, "legacy", accept);
  await expect(client.listTools()).rejects.toThrow(/Open a new one with initialize/u);
});

test("the question is sent on the call's stream, so that a client without another stream is asked [mcp.sessions]", async () => {
  await using world = await twoProcesses();
  const post = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(world.url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", ...body }),
    });
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: { form: {} } },
    clientInfo: { name: "t", version: "1" },
  };
  const greeting = await post({ id: 0, method: "initialize", params });
  await greeting.text();
  const session = { "mcp-session-id": greeting.headers.get("mcp-session-id") ?? "" };
  const called = await post({ id: 1, method: "tools/call", params: call }, session);
  let text = "";
  for await (const piece of called.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    const id = /"method":"elicitation\/create".*"id":"([^"]+)"/u.exec(text)?.[1];
    if (id !== undefined && world.did.length === 0) await post({ id, result: accept() }, session);
  }
  expect(text).toContain("refunded A1");
  expect(world.did).toEqual(["A1"]);
});

test("answers sent to two processes at once execute the call once, and both get its result [mcp.shared-sessions]", async () => {
  let at = 0;
  await using world = await twoProcesses({ stateKey, to: () => at++ % 2 });
  const answers = { inputResponses: { q0: accept() } };
  const ask = (more: object): ReturnType<typeof rpc> =>
    rpc(world.url, "tools/call", { ...call, ...more }, { tasks: false });
  const { result } = await ask({});
  const again = { ...answers, requestState: result?.["requestState"] };
  const results = await Promise.all([ask(again), ask(again), ask(again)]);
  for (const one of [...results, await ask(again)])
    expect(one.result).toMatchObject({ content: [{ type: "text", text: "refunded A1" }] });
  expect(world.did).toEqual(["A1"]);
});
