import { Agent, memoryStore } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { approvalIn, chatId, seen, serveChat } from "./chat-page.fixture.ts";
import { payTool } from "./pay.fixture.ts";

/** A chat whose agent hands over to a cashier, who pays after an approval. */
function serveDesk() {
  const { pay, paid } = payTool();
  const store = memoryStore();
  const base = { flow: "off", store, session: store.sessions } as const;
  const cashier = new Agent({
    ...base,
    name: "cashier",
    description: "Pays.",
    model: scriptedModel([{ toolCalls: [{ name: "pay", arguments: { amount: 5 } }] }, "The cashier paid."]),
    tools: [pay],
  });
  const model = scriptedModel([{ text: "I hand over.", toolCalls: [{ name: "transfer_to_cashier", arguments: {} }] }]);
  const served = serveChat([], { store, agent: { model, flow: "off", handoffs: [cashier] } });
  return { served, paid };
}
const handoff = { type: "data-handoff", data: { fromAgent: "clerk", toAgent: "cashier" } };

test("a handoff is a part of the message, live and after a reload, and the next agent's approval is answered [server.chat.handoff]", async () => {
  const { served, paid } = serveDesk();
  const page = served.page();
  await page.sendMessage({ text: "Pay 5." });
  expect(page.error).toBeUndefined();
  expect(page.messages[1]?.parts.filter(({ type }) => type === "data-handoff")).toMatchObject([handoff]);

  const { messages } = await served.load();
  expect(messages).toEqual(JSON.parse(JSON.stringify(page.messages)));
  const again = served.page(messages);
  await again.addToolApprovalResponse({ id: approvalIn(messages[1]), approved: true });
  await expect.poll(() => seen(again.messages).at(-1)).toContain("The cashier paid.");
  await expect.poll(() => again.status).toBe("ready");
  expect(paid).toEqual([5]);
  expect(again.messages).toHaveLength(2);
  expect(again.messages[1]?.parts.filter(({ type }) => type === "data-handoff")).toMatchObject([handoff]);
  expect((await served.load()).messages).toEqual(JSON.parse(JSON.stringify(again.messages)));
});

test("AG-UI clients receive a handoff as a custom event [server.chat.handoff]", async () => {
  const { served } = serveDesk();
  const messages = [{ id: "m", role: "user", content: "Pay 5." }];
  const response = await served.send("POST", "/ag-ui", { threadId: chatId, runId: "r", messages });
  const events = (await response.text())
    .split("\n\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice(6)) as { readonly type: string; readonly name?: string });
  expect(events.filter(({ name }) => name === "handoff")).toMatchObject([{ type: "CUSTOM", value: handoff.data }]);
});
