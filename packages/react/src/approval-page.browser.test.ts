import { serve } from "@hono/node-server";
import { Agent, memoryStore, tool } from "@bailiwick/agent";
import { runRoutes } from "@bailiwick/server";
import { scriptedModel } from "@bailiwick/testing";
import { Hono } from "hono";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { z } from "zod";
import { launchBrowser } from "../../studio/test/launch-browser.fixture.ts";

const guide = new URL("../../../docs/guides/people-in-the-loop.md", import.meta.url);

/** The page that the guide shows. */
function pageOfGuide(): string {
  const page = /<!-- file: page\.ts -->\s+```ts\n[^`]*`([^`]*)`;\n```/u.exec(readFileSync(guide, "utf8"))?.[1];
  if (page === undefined) throw new Error("The guide has no page.ts.");
  return page;
}

test("the page of the guide asks the agent, shows the call with its values, and approves it with changed arguments", async () => {
  const refunded: unknown[] = [];
  const refund = tool({
    name: "refund",
    description: "Refunds an order.",
    inputSchema: z.object({ orderId: z.string(), amount: z.number() }),
    sideEffectClass: "external-stateful",
    needsApproval: true,
    describeCall: ({ orderId, amount }) => `Refund ${amount} EUR for order ${orderId}?`,
    idempotencyKey: "call",
    execute: (input) => {
      refunded.push(input);
      return "refunded";
    },
  });
  const call = { name: "refund", arguments: { orderId: "<img src=x>", amount: 250 } };
  const model = scriptedModel([{ toolCalls: [call] }, "I have refunded 25 EUR."]);
  const store = memoryStore();
  const agent = new Agent({ name: "desk", model, tools: [refund], store });
  const authorize = (): { userId: string } => ({ userId: "ana" });
  const app = new Hono();
  app.get("/", (context) => context.html(pageOfGuide()));
  app.post("/ask", async (context) => {
    const { runId } = await agent.run(await context.req.text(), authorize());
    return context.json({ runId });
  });
  app.route("/", runRoutes({ agent, store, authorize }));
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }) as Server;
  if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.getByRole("button", { name: "Ask" }).click();
    await page.getByRole("heading", { name: "Refund 250 EUR for order <img src=x>?" }).waitFor();
    await page.getByText("amount: 250").waitFor();
    // The page shows values as text: a value cannot add elements.
    await expect.poll(() => page.locator("img").count()).toBe(0);
    expect(refunded).toEqual([]);

    await page.locator("textarea").fill(JSON.stringify({ orderId: "1042", amount: 25 }));
    await page.getByRole("button", { name: "Approve with these arguments" }).click();
    await page.getByText("completed: I have refunded 25 EUR.").waitFor();
    expect(refunded).toEqual([{ orderId: "1042", amount: 25 }]);
    await expect.poll(() => page.locator("fieldset").count()).toBe(0);
  } finally {
    await browser.close();
    server.close();
  }
});
