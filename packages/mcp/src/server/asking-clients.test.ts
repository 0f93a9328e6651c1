import { tool } from "@bailiwick/agent";
import { expect, test } from "vitest";
import { z } from "zod";
import { connected, eras, serve } from "./served.test.helper.ts";

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
const choose = tool({
  name: "choose",
  description: "Asks for sizes.",
  inputSchema: z.object({}),
  sideEffectClass: "read-only",
  output: { integrity: "verified" },
  execute: async (_, ctx) => {
    const schema = z.object({ sizes: z.array(z.enum(["S", "M", "L"])), gift: z.boolean() });
    const { sizes, gift } = await ctx.ask({ question: "Which sizes?", key: "sizes", schema });
    return `${sizes.join("+")} ${gift ? "as a gift" : "as it is"}`;
  },
});

test("an approval is asked of the client's user, over HTTP, in every protocol [mcp.sessions]", async () => {
  for (const era of eras) {
    did.length = 0;
    await using world = await serve({ tools: [refund], questions: "elicit" });
    let approve = false;
    const asked: string[] = [];
    await using client = await connected(world.url, era, ({ message }) => {
      asked.push(message);
      return { action: "accept", content: { approve } };
    });
    const call = { name: "refund", arguments: { id: "A1" } };
    await client.callTool(call);
    expect(did).toEqual([]);
    approve = true;
    expect((await client.callTool(call)).content).toEqual([{ type: "text", text: "refunded A1" }]);
    expect(did).toEqual(["A1"]);
    // A suspicious call needs a second yes, or one with the box of the form.
    expect(asked).toHaveLength(3);
    expect(asked[0]).toContain('"A1"');
    expect(asked[1]).toMatch(/^Suspicious: .*A1/u);
    expect(asked[1]).not.toContain("You approved this call once.");
    expect(asked[2]).toMatch(/^Suspicious: .*A1[^]*You approved this call once\./u);
  }
});

test("a form may offer several choices, and an invalid answer is requested again [mcp.sessions]", async () => {
  for (const era of eras) {
    await using world = await serve({ tools: [choose], questions: "elicit" });
    let times = 0;
    await using client = await connected(world.url, era, ({ requestedSchema }) => {
      times += 1;
      expect(requestedSchema).toMatchObject({
        properties: { sizes: { type: "array", items: { enum: ["S", "M", "L"] } } },
      });
      const sizes = era === "auto" && times === 1 ? ["XXL"] : ["S", "L"];
      return { action: "accept", content: { sizes, gift: true } };
    });
    const { content } = await client.callTool({ name: "choose", arguments: {} });
    expect(content).toEqual([{ type: "text", text: "S+L as a gift" }]);
    expect(times).toBe(era === "auto" ? 2 : 1);
  }
});

test("a declined question ends the run [mcp.sessions]", async () => {
  for (const era of eras) {
    await using world = await serve({ tools: [choose], questions: "elicit" });
    await using client = await connected(world.url, era, () => ({ action: "decline" }));
    expect(await client.callTool({ name: "choose", arguments: {} })).toMatchObject({ isError: true });
    expect(await world.store.listRuns({ limit: 9 })).toMatchObject([{ state: "cancelled" }]);
  }
});

test("an approval counts only from a client that was shown the question [mcp.sessions]", async () => {
  did.length = 0;
  await using world = await serve({ tools: [refund], questions: "elicit" });
  await using client = await connected(world.url, "auto", () => ({ action: "cancel" }));
  const early = { inputResponses: { q0: { action: "accept", content: { approve: true } } } };
  await client.callTool({ name: "refund", arguments: { id: "A1" }, ...early });
  expect(did).toEqual([]);
});

test("a session belongs to the caller who opened it, and ends when it is closed [mcp.sessions]", async () => {
  await using world = await serve(
    { tools: [refund] },
    { authorize: (request) => ({ userId: request.headers.get("x-user") ?? "ana" }) },
  );
  const post = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(world.url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
    });
  const greeting = {
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  };
  const session = (await post(greeting)).headers.get("mcp-session-id") ?? "";
  expect(session).not.toBe("");
  const list = { method: "tools/list", params: {} };
  expect((await post(list, { "mcp-session-id": session })).status).toBe(200);
  expect((await post(list, { "mcp-session-id": session, "x-user": "bob" })).status).toBe(404);
  expect((await post(list, { "mcp-session-id": "guessed" })).status).toBe(404);
  const closed = await fetch(world.url, { method: "DELETE", headers: { "mcp-session-id": session } });
  expect(closed.status).toBe(200);
  expect((await post(list, { "mcp-session-id": session })).status).toBe(404);
});

test("above the limit the longest-idle session ends, and idle sessions time out [mcp.sessions]", async () => {
  await using world = await serve({ tools: [refund] }, { sessions: { max: 1 } });
  await using first = await connected(world.url, "legacy");
  await using second = await connected(world.url, "legacy");
  await expect(first.listTools()).rejects.toThrow(/no such session/u);
  expect((await second.listTools()).tools).toHaveLength(1);
});

test("on loopback, only pages of the server's own origin may call [mcp.own-origin]", async () => {
  await using world = await serve({ tools: [refund] });
  const { port } = new URL(world.url);
  const statusFor = async (origin: string): Promise<number> =>
    (await fetch(world.url, { method: "POST", headers: { origin }, body: "{}" })).status;
  for (const own of [`http://127.0.0.1:${port}`, `http://localhost:${port}`])
    expect(await statusFor(own)).not.toBe(403);
  for (const other of ["https://evil.example", "http://127.0.0.1:1", `http://localhost.evil.example:${port}`, "null"])
    expect(await statusFor(other), other).toBe(403);
});
