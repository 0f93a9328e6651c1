import { tool } from "@bailiwick/agent";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { askClient } from "./index.ts";
import { eras, serve } from "./served.test.helper.ts";

const greet = tool({
  name: "greet",
  description: "Greets with the client's model.",
  inputSchema: { type: "object", properties: {} },
  sideEffectClass: "read-only",
  output: { integrity: "verified" },
  execute: async (_, ctx) => {
    const { line, folders } = await askClient(ctx, {
      line: { kind: "sampling", prompt: "Greet.", systemPrompt: "Be kind.", maxTokens: 40 },
      folders: { kind: "roots" },
    });
    return `${line?.text} (${line?.model}) in ${folders?.roots?.map(({ uri }) => uri).join()}`;
  },
});

async function clientWith(
  url: string,
  era: (typeof eras)[number],
  asked: unknown[],
): Promise<Client & AsyncDisposable> {
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: era }, capabilities: { sampling: {}, roots: {} } },
  );
  client.setRequestHandler("sampling/createMessage", ({ params }) => {
    asked.push(params);
    return { role: "assistant", content: { type: "text", text: "Good day" }, model: "theirs" };
  });
  client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///home/ana" }] }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

test("a served tool asks the client's model and for its folders, over HTTP, in every protocol [mcp.client-requests]", async () => {
  for (const era of eras) {
    await using world = await serve({ tools: [greet], questions: "elicit" });
    const asked: unknown[] = [];
    await using client = await clientWith(world.url, era, asked);
    const { content } = await client.callTool({ name: "greet", arguments: {} });
    expect(content).toEqual([{ type: "text", text: "Good day (theirs) in file:///home/ana" }]);
    expect(asked).toMatchObject([{ systemPrompt: "Be kind.", maxTokens: 40 }]);
  }
});

test("a client without the capability gets an error that names it, and no run suspends [mcp.client-requests]", async () => {
  for (const era of eras) {
    await using world = await serve({ tools: [greet], questions: "elicit" });
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: era } });
    await client.connect(new StreamableHTTPClientTransport(new URL(world.url)));
    await expect(client.callTool({ name: "greet", arguments: {} })).rejects.toMatchObject({
      code: -32_021,
      data: { requiredCapabilities: { sampling: {}, roots: {} } },
    });
    const runs = await world.store.listRuns({});
    expect(runs.map(({ state }) => state)).toEqual(["cancelled"]);
    await client.close();
  }
});

test("without the questions option the client's model is not asked [mcp.client-requests]", async () => {
  for (const era of eras) {
    await using world = await serve({ tools: [greet] });
    const asked: unknown[] = [];
    await using client = await clientWith(world.url, era, asked);
    expect((await client.callTool({ name: "greet", arguments: {} })).isError).toBe(true);
    expect(asked).toEqual([]);
  }
});

test("another process refuses the session with what to do; protocol 2026-07-28 needs no session [mcp.sessions]", async () => {
  await using one = await serve({ tools: [greet], questions: "elicit" });
  await using other = await serve({ tools: [greet], questions: "elicit" });
  const opening = await fetch(one.url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    }),
  });
  const id = opening.headers.get("mcp-session-id") ?? "";
  await opening.body?.cancel();
  const answer = await fetch(other.url, { headers: { "mcp-session-id": id, accept: "text/event-stream" } });
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain("route requests by their mcp-session-id header");
});
