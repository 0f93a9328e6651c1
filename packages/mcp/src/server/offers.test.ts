import { Agent, tool } from "@bailiwick/agent";
import { createRegistry } from "@bailiwick/core";
import { defaultHasher } from "@bailiwick/core/extension";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { keepingLogger } from "../agents.test.helper.ts";
import { loopback } from "../http-server.test.helper.ts";
import { anyone, mcpServer } from "./index.ts";
import { connected, eras, serve } from "./served.test.helper.ts";

const png = new Uint8Array([137, 80, 78, 71]);

test("resources are listed and read: static ones, bytes, and templates with a function [mcp.resources]", async () => {
  for (const era of eras) {
    await using world = await serve(
      {
        resources: [
          { uri: "shop://terms", name: "terms", description: "The terms.", content: "Be kind." },
          { uri: "shop://logo", name: "logo", mimeType: "image/png", content: png },
          {
            uri: "shop://orders/{id}",
            name: "order",
            mimeType: "application/json",
            content: ({ params: { id }, caller }) =>
              id === "none" ? undefined : JSON.stringify({ id, for: caller.userId }),
            complete: { id: (typed) => ["A1", "A2", "B1"].filter((one) => one.startsWith(typed)) },
          },
        ],
      },
      { authorize: () => ({ userId: "ana" }) },
    );
    await using client = await connected(world.url, era);
    expect((await client.listResources()).resources).toMatchObject([{ uri: "shop://terms" }, { uri: "shop://logo" }]);
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: "shop://orders/{id}" },
    ]);
    const read = async (uri: string): Promise<unknown> => (await client.readResource({ uri })).contents[0];
    expect(await read("shop://terms")).toMatchObject({ text: "Be kind.", mimeType: "text/plain" });
    expect(await read("shop://logo")).toMatchObject({ blob: Buffer.from(png).toString("base64") });
    expect(await read("shop://orders/A%201")).toMatchObject({ text: '{"id":"A 1","for":"ana"}' });
    for (const uri of ["shop://orders/none", "shop://other"])
      await expect(client.readResource({ uri }), uri).rejects.toThrow(/no such resource/u);
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: "shop://orders/{id}" },
      argument: { name: "id", value: "A" },
    });
    expect(completion.values).toEqual(["A1", "A2"]);
  }
});

test("a subscribed client is notified when a resource changes [mcp.resources]", async () => {
  await using world = await serve({ resources: [{ uri: "shop://stock", name: "stock", content: "3" }] });
  await using client = await connected(world.url, "legacy");
  const heard = new Promise<string>((resolve) => {
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => resolve(params.uri));
  });
  await client.subscribeResource({ uri: "shop://stock" });
  world.served.resourceChanged("shop://other");
  world.served.resourceChanged("shop://stock");
  expect(await heard).toBe("shop://stock");
});

test("prompts are listed and rendered, may ask the user, and complete their arguments [mcp.prompts]", async () => {
  for (const era of eras) {
    await using world = await serve({
      prompts: [
        { name: "hello", messages: "Say hello." },
        {
          name: "review",
          arguments: [
            { name: "order", required: true, complete: (typed) => [`${typed}1`, `${typed}2`] },
            { name: "tone" },
          ],
          messages: async ({ order, tone = "kind" }, ctx) => {
            const answer = await ctx.ask({
              key: "stars",
              message: "How many stars?",
              schema: { type: "object", properties: { stars: { type: "integer" } }, required: ["stars"] },
            });
            return [
              { content: `Review ${order ?? ""} in a ${tone} tone, ${JSON.stringify(answer?.["stars"])} stars.` },
              { role: "assistant", content: { type: "image", data: png, mimeType: "image/png" } },
            ];
          },
        },
        {
          name: "fails",
          messages: () => {
            throw new Error("the password is 1234");
          },
        },
      ],
      onError: () => undefined,
    });
    await using client = await connected(world.url, era, () => ({ action: "accept", content: { stars: 5 } }));
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["hello", "review", "fails"]);
    expect((await client.getPrompt({ name: "hello" })).messages).toEqual([
      { role: "user", content: { type: "text", text: "Say hello." } },
    ]);
    const { messages } = await client.getPrompt({ name: "review", arguments: { order: "A1" } });
    expect(messages).toMatchObject([
      { role: "user", content: { text: "Review A1 in a kind tone, 5 stars." } },
      { role: "assistant", content: { type: "image" } },
    ]);
    await expect(client.getPrompt({ name: "review" })).rejects.toThrow(/needs the argument "order"/u);
    await expect(client.getPrompt({ name: "none" })).rejects.toThrow(/no prompt/u);
    const failure = await client.getPrompt({ name: "fails" }).catch((error: unknown) => String(error));
    expect(failure).not.toContain("1234");
    const { completion } = await client.complete({
      ref: { type: "ref/prompt", name: "review" },
      argument: { name: "order", value: "A" },
    });
    expect(completion.values).toEqual(["A1", "A2"]);
  }
});

test("the tools of a registry and further agents are served, each under its own policy [mcp.registry]", async () => {
  const now = tool({
    name: "now",
    description: "Tells the time.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    output: { integrity: "verified" },
    execute: () => "noon",
  });
  const registry = createRegistry({ ports: { hasher: defaultHasher() } });
  registry.register(now);
  const made = (name: string, answer: string): Agent =>
    new Agent({ name, model: scriptedModel([answer]), tools: [now], logger: keepingLogger() });
  const server = mcpServer({
    name: "desk",
    agent: made("desk", "Desk."),
    tools: registry,
    agents: [made("billing", "Billing."), made("returns", "Returns.")],
  });
  const handler = server.http({ authorize: anyone });
  await using at = await loopback((request) => handler.fetch(request));
  await using client = await connected(at.url, "legacy");
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["now", "ask_billing", "ask_returns"]);
  expect((await client.callTool({ name: "now", arguments: {} })).content).toMatchObject([{ text: "noon" }]);
  const answer = await client.callTool({ name: "ask_returns", arguments: { question: "?" } });
  expect(answer.content).toMatchObject([{ text: "Returns." }]);
  await handler.close();
});

test("tools report progress with a growing number, or as log lines [mcp.progress]", async () => {
  const steps = tool({
    name: "steps",
    description: "Goes step by step.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    output: { integrity: "verified" },
    streamingHint: true,
    execute: (_, ctx) => {
      ctx.reportProgress({ fraction: 0.5 });
      ctx.reportProgress({ message: "more" });
      ctx.reportProgress({ fraction: 0.25, message: "back" });
      return "done";
    },
  });
  await using world = await serve({ tools: [steps] });
  await using client = await connected(world.url, "legacy");
  const numbers: number[] = [];
  await client.callTool(
    { name: "steps", arguments: {} },
    { onprogress: ({ progress }) => void numbers.push(progress) },
  );
  expect(numbers).toHaveLength(3);
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  expect(new Set(numbers).size).toBe(3);
  const lines: unknown[] = [];
  client.setNotificationHandler("notifications/message", ({ params }) => void lines.push(params.data));
  await client.callTool({ name: "steps", arguments: {} });
  expect(lines).toEqual(["50 %", "more", "back"]);
});
