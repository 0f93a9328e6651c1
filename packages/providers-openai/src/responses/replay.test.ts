import { answerText, type Message } from "@bailiwick/core";
import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { collectChunks, type ScriptStep } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { openai } from "../index.ts";
import { bodies, secondInput, user } from "./responses.fixture.ts";

const parts: ScriptStep = {
  parts: [
    { type: "reasoning", text: "Hm." },
    { type: "text", text: "Looking." },
    { type: "tool_call", name: "look" },
  ],
};
const without = (type: string) => (messages: readonly Message[]) =>
  messages.map((message): Message =>
    message.role === "assistant"
      ? { ...message, content: message.content.filter((part) => part.type !== type) }
      : message,
  );

test("answers are not stored, and reasoning is encrypted and inline [providers.openai-responses.stateless]", async () => {
  const {
    bodies: [body],
  } = await bodies([], [{}]);
  expect(body).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
  const input = await secondInput({ reasoning: "Hm.", toolCalls: [{ name: "look" }] }, (messages) => messages);
  expect(input.map(({ type }) => type)).toEqual(["message", "reasoning", "function_call", "function_call_output"]);
  expect(JSON.stringify(input)).not.toContain("item_reference");
  const {
    bodies: [other],
  } = await bodies([], [{}], "gpt-4.1");
  expect(other).not.toHaveProperty("include");
});

test("reasoning is directly before its item, with its summary even when empty [providers.openai-responses.reasoning-before-item]", async () => {
  const input = await secondInput(
    {
      parts: [
        { type: "reasoning", text: "" },
        { type: "text", text: "Looking." },
        { type: "tool_call", name: "look" },
      ],
    },
    (messages) => messages,
  );
  expect(input.map(({ type }) => type)).toEqual([
    "message",
    "reasoning",
    "message",
    "function_call",
    "function_call_output",
  ]);
  expect(input[1]).toMatchObject({ summary: [], encrypted_content: expect.stringMatching(/^gAAAA/) as string });
  expect(input[2]?.["id"]).toMatch(/^msg_/);
});

test("reasoning without its item is left out, and the other items are sent without ids [providers.openai-responses.broken-pair] [field-bug:PB-provider-openai-03]", async () => {
  const lost = await secondInput(parts, without("text"));
  expect(lost.map(({ type }) => type)).toEqual(["message", "function_call", "function_call_output"]);
  expect(lost[1]).not.toHaveProperty("id");
  const alone = await secondInput(parts, without("reasoning"));
  expect(alone.map(({ type }) => type)).toEqual(["message", "message", "function_call", "function_call_output"]);
  for (const item of alone) expect(item).not.toHaveProperty("id");
});

test("an abort between reasoning and its item leaves no unpaired reasoning in the next request [field-bug:PB-provider-openai-02]", async () => {
  const step: ScriptStep = { reasoning: "A longer thought in several words.", text: "Answer." };
  for (let events = 1; events < 12; events += 1) {
    await using server = await modelServer([{ ...step, faults: { cutAfterEvents: events } }, "Done."]);
    const model = openai("gpt-5.5", { apiKey: "test", baseURL: server.baseURL("openai") });
    const { error } = await collectChunks(model.stream({ messages: [user("Hi")] }));
    const { partial } = error as { partial?: { message: Message } };
    const messages = [user("Hi"), ...(partial === undefined ? [] : [partial.message]), user("continue")];
    await model.generate({ messages: compileHistory(messages, historyTarget(model)).messages });
    expect(server.requests[1]?.refusedBy).toBeUndefined();
  }
});

test("another model of OpenAI gets calls and results without item ids or reasoning [providers.openai-responses.other-model]", async () => {
  const input = await secondInput(parts, (messages) => messages, "gpt-5.4", "gpt-5.5");
  expect(input.map(({ type }) => type)).toEqual(["message", "message", "function_call", "function_call_output"]);
  for (const item of input) expect(item).not.toHaveProperty("id");
  expect(input[2]?.["call_id"]).toBe(input[3]?.["call_id"]);
});

test("a phase is sent back unchanged, and commentary is not the answer [providers.openai-responses.phase]", async () => {
  const said = {
    parts: [
      { type: "text", text: "Let me see.", phase: "commentary" },
      { type: "text", text: "It is 4.", phase: "final_answer" },
    ],
  } as const;
  const { answers } = await bodies([said], [{}]);
  expect(answers[0] && answerText(answers[0].message)).toBe("It is 4.");
  const input = await secondInput(said, (messages) => [...messages, user("Sure?")]);
  expect(input.map(({ phase }) => phase)).toEqual([undefined, "commentary", "final_answer", undefined]);
});

test("an answer that repeats an item of an earlier one is sent as text and calls, since the vendor accepts an item once [providers.openai-responses.repeated-items]", async () => {
  await using server = await modelServer([parts, "Done."]);
  const model = openai("gpt-5.5", { apiKey: "k", baseURL: server.baseURL("openai") });
  const { message } = await model.generate({ messages: [user("Hi")] });
  const [call] = message.toolCalls;
  const result = (id: string): Message => ({
    id,
    role: "tool",
    toolCallId: call?.id ?? "",
    toolName: "look",
    content: "Found.",
  });
  const again = { ...message, id: "again" };
  const history = [user("Hi"), message, result("r1"), { ...user("Again?"), id: "u2" }, again, result("r2")];
  await model.generate({ messages: compileHistory(history, historyTarget(model)).messages });
  expect(server.requests[1]?.refusedBy).toBeUndefined();
  expect(server.requests[1]?.text.split("Looking.").length).toBe(3);
});
