import { Agent, memoryStore } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import { convertToModelMessages, type UIMessage } from "ai";
import { expect, test } from "vitest";
import { fromUIMessages, sessionToUIMessages } from "./index.ts";

const saved: UIMessage[] = [
  { id: "s1", role: "system", parts: [{ type: "text", text: "Be brief." }] },
  {
    id: "m1",
    role: "user",
    parts: [
      { type: "text", text: "Where is order 7?" },
      { type: "file", mediaType: "image/png", url: "data:image/png;base64,aGk=" },
      { type: "file", mediaType: "application/pdf", url: "https://files.example/7.pdf", filename: "7.pdf" },
    ],
  },
  {
    id: "m2",
    role: "assistant",
    parts: [
      { type: "step-start" },
      { type: "reasoning", text: "I look it up." },
      { type: "text", text: "One moment." },
      {
        type: "tool-find_order",
        toolCallId: "c1",
        state: "output-available",
        input: { id: 7 },
        output: { sent: true },
      },
      {
        type: "dynamic-tool",
        toolName: "mail",
        toolCallId: "c2",
        state: "output-error",
        input: {},
        errorText: "Down.",
      },
      { type: "tool-pay", toolCallId: "c3", state: "output-denied", input: {}, approval: { id: "a", approved: false } },
      { type: "tool-late", toolCallId: "c4", state: "input-available", input: {} },
      { type: "step-start" },
      { type: "text", text: "It was sent." },
    ],
  },
];

test("chats that the AI SDK saved become a session: the model reads them, and the page shows them again", async () => {
  const store = memoryStore();
  const model = scriptedModel(["Yesterday."]);
  const agent = new Agent({ name: "clerk", model, store, session: store.sessions });
  const run = { userId: "ana", runId: "import-chat-1", seq: 0 };
  for (const _time of [1, 2]) await store.sessions.append("chat-1", fromUIMessages(saved), run);

  const { text } = await agent.run("When?", { sessionId: "chat-1", userId: "ana" });
  expect(text).toBe("Yesterday.");
  expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(
    "system user assistant tool tool tool assistant user".split(" "),
  );
  const shown = await sessionToUIMessages({ agent, store, sessionId: "chat-1", userId: "ana" });
  expect(shown.map(({ id, role }) => [id, role]).slice(0, 2)).toEqual([
    ["m1", "user"],
    ["m2", "assistant"],
  ]);
  // The AI SDK converts the page's messages for its models again.
  const parts = (shown[1]?.parts ?? []).map((part) => [part.type, "state" in part ? part.state : undefined]);
  expect(parts).toEqual([
    ["step-start", undefined],
    ["text", "done"],
    ["tool-find_order", "output-available"],
    ["tool-mail", "output-error"],
    ["tool-pay", "output-error"],
    ["step-start", undefined],
    ["text", "done"],
  ]);
  expect((await convertToModelMessages(shown.slice(0, 2))).map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
});

test("files and results keep their content, and what other people may have written is untrusted", () => {
  const [, user, answer, found, failed, denied, last] = fromUIMessages(saved);
  expect(user?.content).toEqual([
    { type: "text", text: "Where is order 7?" },
    { type: "image", data: "aGk=", mimeType: "image/png", untrusted: true },
    {
      type: "file",
      url: "https://files.example/7.pdf",
      mimeType: "application/pdf",
      filename: "7.pdf",
      untrusted: true,
    },
  ]);
  expect(answer).toMatchObject({
    id: "m2",
    finishReason: "tool_calls",
    toolCalls: [{ id: "c1", name: "find_order", arguments: '{"id":7}' }, { name: "mail" }, { name: "pay" }],
  });
  expect(found).toMatchObject({ toolCallId: "c1", content: '{"sent":true}' });
  expect(failed).toMatchObject({ toolName: "mail", content: "Down.", isError: true });
  expect(denied).toMatchObject({ toolName: "pay", content: "A person rejected the call.", isError: true });
  expect(last).toMatchObject({ id: "m2:2", finishReason: "stop", content: [{ type: "text", text: "It was sent." }] });
});

test.each([
  ["a message of AI SDK 4", [{ id: "m1", role: "user", content: "Hello." }], "Message 0"],
  ["an unknown role", [{ id: "m1", role: "data", parts: [] }], '"data"'],
  ["no message", [null], "Message 0"],
  ["no list", "Hello.", "list"],
])("%s is refused with its place", (_name, messages, named) => {
  expect(() => fromUIMessages(messages as never)).toThrow(
    expect.objectContaining({ code: "INVALID_MESSAGE", message: expect.stringContaining(named) as string }),
  );
});
