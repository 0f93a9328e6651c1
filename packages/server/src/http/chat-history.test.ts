import { tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { approvalIn, chatId, seen, serveChat } from "./chat-page.fixture.ts";
import { sessionToUIMessages } from "../chat/index.ts";

const payment = { text: "I pay.", toolCalls: [{ name: "pay", arguments: { amount: 5 } }] };
const idsOf = (messages: readonly UIMessage[]): string[] => messages.map(({ id }) => id);

test("GET /chat/:id gives the session as the messages that the page shows, open questions included [server.chat.history]", async () => {
  const served = serveChat(["Good day.", payment, "Paid."]);
  const page = served.page();
  await page.sendMessage({ text: "Hello." });
  await page.sendMessage({ text: "Pay 5." });
  const loaded = await served.load();
  expect(loaded.messages).toEqual(JSON.parse(JSON.stringify(page.messages)));
  expect(loaded.activeStreamId).toBe(page.messages[3]?.id);
  expect(seen(loaded.messages).at(-1)).toBe("assistant: I pay. [pay: approval-requested]");
  const { agent, store } = served;
  expect(await sessionToUIMessages({ agent, store, sessionId: chatId })).toEqual(loaded.messages);

  const again = served.page(loaded.messages);
  await again.addToolApprovalResponse({ id: approvalIn(loaded.messages[3]), approved: true });
  await expect.poll(() => seen(again.messages).at(-1)).toContain("Paid.");
  await expect.poll(() => again.status).toBe("ready");
  expect(served.paid).toEqual([5]);
  const after = await served.load();
  expect(after.messages).toEqual(JSON.parse(JSON.stringify(again.messages)));
  expect(after.activeStreamId).toBeNull();
});

test.each([
  ["with history", true, false],
  ["without history", false, true],
  ["with history and the resumed stream", true, true],
])("a page that is loaded again %s shows each message once [server.chat.resume]", async (_name, history, resumes) => {
  const served = serveChat(["Good day.", payment, "Paid."]);
  const first = served.page();
  await first.sendMessage({ text: "Hello." });
  await first.sendMessage({ text: "Pay 5." });

  const page = served.page(history ? (await served.load()).messages : []);
  if (resumes) await page.resumeStream();
  const shown = history ? first.messages : first.messages.slice(-1);
  expect(idsOf(page.messages)).toEqual(idsOf(shown));
  expect(seen(page.messages)).toEqual(seen(shown));
  await page.addToolApprovalResponse({ id: approvalIn(page.messages.at(-1)), approved: true });
  await expect.poll(() => seen(page.messages).at(-1)).toContain("Paid.");
  await expect.poll(() => page.status).toBe("ready");
  expect(page.error).toBeUndefined();
  expect(idsOf(page.messages)).toEqual(idsOf(shown));
  await page.resumeStream();
  expect(idsOf(page.messages)).toEqual(idsOf(shown));
});

test("GET /chat/:id/stream follows a running run, and answers 204 when none is active [server.chat.resume]", async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const slow = tool({
    name: "slow",
    description: "Takes its time.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: () => held.then(() => "slept"),
  });
  const served = serveChat([{ toolCalls: [{ name: "slow", arguments: {} }] }, "Awake."], { agent: { tools: [slow] } });
  expect((await served.send("GET", `/chat/${chatId}/stream`)).status).toBe(204);
  const first = served.page();
  const sent = first.sendMessage({ text: "Sleep." });
  await expect.poll(() => seen(first.messages).at(-1)).toContain("input-available");
  const { messages, activeStreamId } = await served.load();
  expect(activeStreamId).toBe(first.messages[1]?.id);
  const page = served.page(messages);
  const resumed = page.resumeStream();
  release();
  await Promise.all([sent, resumed]);
  expect(seen(page.messages)).toEqual(seen(first.messages));
  expect(idsOf(page.messages)).toEqual(idsOf(first.messages));
  expect((await served.send("GET", `/chat/${chatId}/stream`)).status).toBe(204);
});

test("a page that answers approvals by itself does not answer a question of a tool by itself [server.chat.question]", async () => {
  const order = tool({
    name: "order",
    description: "Orders.",
    inputSchema: z.object({}),
    sideEffectClass: "external-stateful",
    needsApproval: true,
    idempotencyKey: "call",
    execute: async (_input, ctx) => ({ many: await ctx.ask({ question: "How many?", schema: z.number() }) }),
  });
  const served = serveChat([{ toolCalls: [{ name: "order", arguments: {} }] }, "Ordered."], {
    agent: { tools: [order] },
  });
  const page = served.page();
  await page.sendMessage({ text: "Order." });
  await page.addToolApprovalResponse({ id: approvalIn(page.messages[1]), approved: true });
  await expect.poll(() => JSON.stringify(page.messages[1]?.parts)).toContain("data-interruption");
  await expect.poll(() => page.status).toBe("ready");
  expect(page.error).toBeUndefined();

  const runId = page.messages[1]?.id ?? "";
  const again = served.page((await served.load()).messages);
  await again.resumeStream();
  expect(again.messages).toEqual(page.messages);
  const [question] = await served.agent.interruptions(runId);
  const decisions = [{ id: question?.id, type: "answer", value: 3 }];
  expect((await served.send("POST", `/runs/${runId}/decisions`, { decisions })).status).toBe(202);
  // The run may have ended by now; its stream can still be read.
  const answered = served.page(again.messages, chatId, `/runs/${runId}/stream`);
  await answered.resumeStream();
  expect(seen(answered.messages).at(-1)).toBe("assistant: [order: output-available] Ordered.");
  expect(answered.messages).toHaveLength(2);
});

test("messages of a session whose runs were deleted are in the history too [server.chat.history]", async () => {
  const served = serveChat([payment, "Paid.", "You are welcome."]);
  const page = served.page();
  await page.sendMessage({ text: "Pay 5." });
  await page.addToolApprovalResponse({ id: approvalIn(page.messages[1]), approved: true });
  await expect.poll(() => served.paid).toEqual([5]);
  await expect.poll(() => page.status).toBe("ready");
  await served.store.deleteRun(page.messages[1]?.id ?? "");
  await page.sendMessage({ text: "Thanks." });
  expect(seen((await served.load()).messages)).toEqual([
    "user: Pay 5.",
    "assistant: I pay. [pay: output-available] Paid.",
    "user: Thanks.",
    "assistant: You are welcome.",
  ]);
});

test("a failed run is in the history as the page shows it [server.chat.history]", async () => {
  const model = scriptedModel([{ faults: { error: { status: 400 } } }, "Good day."]);
  const served = serveChat([], { agent: { model } });
  const page = served.page();
  await page.sendMessage({ text: "Hello." });
  expect(page.status).toBe("error");
  expect(seen((await served.load()).messages)).toEqual(seen(page.messages));
  await page.sendMessage({ text: "Hello again." });
  expect(seen(page.messages).at(-1)).toBe("assistant: Good day.");
  expect(seen((await served.load()).messages)).toEqual(seen(page.messages));
});
