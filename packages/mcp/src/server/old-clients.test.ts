import { tool } from "@bailiwick/agent";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { z } from "zod";
import { serve } from "./served.test.helper.ts";

/** The official client of the previous generation, which uses 2025-11-25 and asks its user through `answer`. */
async function oldClient(url: string, answer?: (message: string) => object): Promise<Client & AsyncDisposable> {
  const client = new Client(
    { name: "old", version: "1" },
    { capabilities: answer === undefined ? {} : { elicitation: { form: {} } } },
  );
  if (answer !== undefined)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => answer(params.message) as never);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

function shop(did: string[]) {
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
    streamingHint: true,
    execute: async (_, ctx) => {
      ctx.reportProgress({ message: "half", fraction: 0.5 });
      const schema = z.object({ sizes: z.array(z.enum(["S", "M", "L"])) });
      const { sizes } = await ctx.ask({ question: "Which sizes?", key: "sizes", schema });
      return sizes.join("+");
    },
  });
  return [refund, choose];
}

test("the official client of 2025-11-25 is asked over HTTP, and a writing tool works with it [mcp.sessions]", async () => {
  const did: string[] = [];
  await using world = await serve({ tools: shop(did), questions: "elicit" });
  const asked: string[] = [];
  let approve = false;
  await using client = await oldClient(world.url, (message) => {
    asked.push(message);
    return { action: "accept", content: { approve } };
  });
  const call = { name: "refund", arguments: { id: "A1" } };
  expect(await client.callTool(call)).toMatchObject({ isError: true });
  expect(did).toEqual([]);
  approve = true;
  expect(await client.callTool(call)).toMatchObject({ content: [{ text: "refunded A1" }] });
  expect(did).toEqual(["A1"]);
  // A suspicious call needs a second yes.
  expect(asked).toHaveLength(3);
  expect(asked[1]).toContain("A1");
  expect(asked[2]).toMatch(/^Suspicious: .*A1/u);
  await using mute = await oldClient(world.url);
  expect(await mute.callTool(call)).toMatchObject({ isError: true });
  expect(did).toEqual(["A1"]);
});

test("the official client of 2025-11-25 fills in a form with several choices, and gets progress and log lines [mcp.sessions]", async () => {
  await using world = await serve({ tools: shop([]), questions: "elicit" });
  await using client = await oldClient(world.url, () => ({ action: "accept", content: { sizes: ["S", "L"] } }));
  const progress: unknown[] = [];
  const done = await client.callTool({ name: "choose", arguments: {} }, undefined, {
    onprogress: ({ message }) => progress.push(message),
  });
  expect(done).toMatchObject({ content: [{ text: "S+L" }] });
  expect(progress[0]).toBe("half");
  const lines: unknown[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void lines.push(params.data));
  await client.callTool({ name: "choose", arguments: {} });
  expect(lines[0]).toBe("half");
});
