import { createAgentRuntime, memoryStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import {
  AbstractChat,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type ChatState,
  type ChatStatus,
  type UIMessage,
} from "ai";
import { describe, expect, test } from "vitest";
import { payTool } from "./pay.fixture.ts";
import { runRoutes } from "./run-routes.ts";

/** The state of a chat without a framework around it. */
class PlainState implements ChatState<UIMessage> {
  status: ChatStatus = "ready";
  error: Error | undefined = undefined;
  messages: UIMessage[] = [];
  pushMessage = (message: UIMessage): void => void this.messages.push(message);
  popMessage = (): void => void this.messages.pop();
  replaceMessage = (index: number, message: UIMessage): void => void this.messages.splice(index, 1, message);
  snapshot = <Value>(value: Value): Value => structuredClone(value);
}

class PlainChat extends AbstractChat<UIMessage> {}

function open(steps: Parameters<typeof scriptedModel>[0]) {
  const { pay, paid } = payTool();
  const store = memoryStore();
  const agent = createAgentRuntime({
    name: "clerk",
    model: scriptedModel(steps),
    tools: [pay],
    store,
    session: store.sessions,
  });
  const app = runRoutes({ agent, store });
  const fetch: typeof globalThis.fetch = async (input, init) =>
    app.fetch(new Request(new URL(input instanceof Request ? input.url : input, "http://localhost"), init));
  const chat = (): PlainChat =>
    new PlainChat({
      id: "chat-1",
      state: new PlainState(),
      transport: new DefaultChatTransport({ api: "/chat", fetch }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
  return { chat, paid };
}

const payment = { text: "I pay.", toolCalls: [{ name: "pay", arguments: { amount: 5 } }] };
const approvalOf = (message: UIMessage | undefined): string => {
  const part = message?.parts.find(({ type }) => type === "tool-pay");
  return part !== undefined && "approval" in part ? (part.approval?.id ?? "") : "";
};

test.each([
  [true, "output-available", [5]],
  [false, "output-denied", []],
])("the AI SDK's chat works unchanged, its own approvals included: approved %s", async (approved, state, paid) => {
  const served = open([payment, "That is all.", "You are welcome."]);
  const chat = served.chat();
  await chat.sendMessage({ text: "Pay 5." });
  expect(chat.messages).toHaveLength(2);
  expect(chat.messages[1]?.parts.at(-1)).toMatchObject({ type: "tool-pay", state: "approval-requested" });
  expect(served.paid).toEqual([]);

  await chat.addToolApprovalResponse({ id: approvalOf(chat.messages[1]), approved });
  await expect.poll(() => `${chat.status} ${chat.messages[1]?.parts.at(-1)?.type ?? ""}`).toBe("ready text");
  expect(chat.error).toBeUndefined();
  expect(served.paid).toEqual(paid);
  expect(chat.messages).toHaveLength(2);
  expect(chat.messages[1]?.parts).toMatchObject([
    { type: "step-start" },
    { type: "text", text: "I pay." },
    { type: "tool-pay", state, approval: { approved } },
    { type: "step-start" },
    { type: "text", text: "That is all." },
  ]);

  await chat.sendMessage({ text: "Thanks." });
  expect(chat.messages).toHaveLength(4);
  expect(chat.messages[3]?.parts.at(-1)).toMatchObject({ type: "text", text: "You are welcome." });
});

describe("a page that shows an older state of a chat [server.decisions.repeated]", () => {
  test.each([
    ["completed", [payment, "Done."]],
    ["waiting for the next approval", [payment, payment, "Done."]],
  ])("is shown what followed its approval, which counts once; the run is %s", async (_state, steps) => {
    const served = open([...steps]);
    const chat = served.chat();
    await chat.sendMessage({ text: "Pay 5." });
    const other = served.chat();
    other.messages = structuredClone(chat.messages);
    await chat.addToolApprovalResponse({ id: approvalOf(chat.messages[1]), approved: true });
    await expect.poll(() => served.paid).toEqual([5]);
    await expect.poll(() => chat.status).toBe("ready");
    await other.addToolApprovalResponse({ id: approvalOf(other.messages[1]), approved: true });
    await expect
      .poll(() => `${other.status} ${other.messages[1]?.parts.length}`)
      .toBe(`ready ${chat.messages[1]?.parts.length}`);
    expect(other.error).toBeUndefined();
    expect(other.messages[1]?.parts).toEqual(chat.messages[1]?.parts);
    expect(served.paid).toEqual([5]);
  });

  test("may not decide otherwise: the error says who decided and when", async () => {
    const served = open([payment, "Done."]);
    const chat = served.chat();
    await chat.sendMessage({ text: "Pay 5." });
    const other = served.chat();
    other.messages = structuredClone(chat.messages);
    await chat.addToolApprovalResponse({ id: approvalOf(chat.messages[1]), approved: true });
    await expect.poll(() => chat.status).toBe("ready");
    await other.addToolApprovalResponse({ id: approvalOf(other.messages[1]), approved: false });
    await expect.poll(() => other.status).toBe("error");
    expect(other.error?.message).toContain("DECISION_USED");
    expect(other.error?.message).toContain("was decided before as");
    expect(other.error?.message).toMatch(/ at \d{4}-\d\d-\d\dT/u);
    expect(served.paid).toEqual([5]);
  });
});
