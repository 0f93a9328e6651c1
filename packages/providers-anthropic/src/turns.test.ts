import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { type Message, type ModelResponse } from "@bailiwick/core";
import { collectChunks, finishedResponse, type ScriptStep } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { asked, blocksOf, foreign, look, result, shape, user, type Sent } from "./ask.fixture.ts";
import { anthropic } from "./index.ts";
import { listAt, replaying } from "./replay.fixture.ts";

/** Plays a conversation of two turns and returns the second request, after a change to the history. */
async function second(
  step: ScriptStep,
  change: (messages: readonly Message[], first: ModelResponse) => readonly Message[] = (messages) => messages,
  model = "claude-sonnet-4-5",
) {
  await using server = await modelServer([step, "Done."]);
  const provider = anthropic(model, { apiKey: "test", baseURL: server.baseURL("anthropic") });
  const first = finishedResponse(
    (await collectChunks(provider.stream({ messages: [user("Hi")], tools: [look] }))).chunks,
  );
  const results = first.message.toolCalls.map(({ id }) => result(id, "found"));
  const { messages } = compileHistory(change([user("Hi"), first.message, ...results], first), historyTarget(provider));
  await provider.generate({ messages, tools: [look] });
  expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual([undefined, undefined]);
  return { body: server.requests[1]?.body as Sent, first };
}

test("the first turn is the user's, and adjacent messages of one role are one turn [providers.anthropic.turns]", async () => {
  const said = (text: string): Message => foreign([{ type: "text", text }]);
  const { bodies } = await asked(
    [
      { messages: [{ id: "s", role: "system", content: "Be brief." }] },
      { messages: [said("Hello."), user("Hi")] },
      { messages: [user("One"), user("Two"), said("Three"), said("Four"), user("Five")] },
    ],
    "claude-opus-5",
  );
  expect(bodies.map(shape)).toEqual([
    [["user", ["text"]]],
    [
      ["user", ["text"]],
      ["assistant", ["text"]],
      ["user", ["text"]],
    ],
    [
      ["user", ["text", "text"]],
      ["assistant", ["text", "text"]],
      ["user", ["text"]],
    ],
  ]);
  expect(bodies[0]?.["system"]).toMatchObject([{ type: "text", text: "Be brief." }]);
});

test("all results of a turn are in one user message before any text [providers.anthropic.results-first]", async () => {
  const { body } = await second(
    { text: "Looking.", toolCalls: [{ name: "look" }, { name: "look" }, { name: "look" }] },
    ([first, answer, one, two, three]) => [first, answer, one, user("Hurry."), three, two] as Message[],
  );
  expect(shape(body)).toEqual([
    ["user", ["text"]],
    ["assistant", ["text", "tool_use", "tool_use", "tool_use"]],
    ["user", ["tool_result", "tool_result", "tool_result", "text"]],
  ]);
  const blocks = blocksOf(body);
  const ids = (type: string, field: string) =>
    blocks.filter((block) => block["type"] === type).map((block) => block[field]);
  expect(ids("tool_result", "tool_use_id")).toEqual(ids("tool_use", "id"));
});

const thoughtful: ScriptStep = {
  parts: [
    { type: "reasoning", text: "First." },
    { type: "reasoning", redacted: "EmwKAhgBEgy3va3pzix" },
    { type: "text", text: "Looking." },
    { type: "tool_call", name: "look" },
  ],
};

test("thinking is sent back byte for byte and in order, including unreadable blocks [providers.anthropic.thinking-replay]", async () => {
  for (const model of ["claude-sonnet-4-5", "claude-opus-5", "claude-opus-5-5"]) {
    const { body, first } = await second(thoughtful, undefined, model);
    const [thinking, redacted] = blocksOf(body).slice(1);
    expect(thinking).toEqual({ type: "thinking", thinking: "First.", signature: expect.any(String) as string });
    expect(redacted).toEqual({ type: "redacted_thinking", data: "EmwKAhgBEgy3va3pzix" });
    expect(first.message.content.map(({ type }) => type)).toEqual(["reasoning", "reasoning", "text", "tool_call"]);
  }
});

test("incomplete thinking is not sent [providers.anthropic.thinking-replay]", async () => {
  const forget = (messages: readonly Message[], which: number): readonly Message[] =>
    messages.map((message): Message => {
      if (message.role !== "assistant") return message;
      const content = message.content.map((part, index) =>
        index === which ? { type: "reasoning" as const, text: "First." } : part,
      );
      return { ...message, content };
    });
  for (const which of [0, 1]) {
    const { body } = await second(thoughtful, (messages) => forget(messages, which));
    expect(shape(body)[1]).toEqual(["assistant", ["text", "tool_use"]]);
  }
  const { body: alone } = await second({ reasoning: "Hm.", text: "So." }, ([first, answer]) => [
    first as Message,
    {
      ...(answer as Extract<Message, { role: "assistant" }>),
      content: (answer as Extract<Message, { role: "assistant" }>).content.slice(0, 1),
    },
    user("Go on."),
  ]);
  expect(shape(alone)).toEqual([["user", ["text", "text"]]]);
});

test("when two answers form one turn, only the last keeps its thinking [providers.anthropic.thinking-replay]", async () => {
  const { body } = await second({ reasoning: "Hm.", text: "So." }, ([first, answer]) => [
    first as Message,
    answer as Message,
    { ...(answer as Message), id: "again" },
    user("Go on."),
  ]);
  expect(shape(body)[1]).toEqual(["assistant", ["text", "thinking", "text"]]);
});

test("another vendor's reasoning is not sent as thinking, and an open tool loop is accepted with thinking on [field-bug:PB-provider-anthropic-03]", async () => {
  const reasoned = foreign(
    [
      { type: "reasoning", text: "Secret.", providerState: { signature: "none of yours" } },
      { type: "tool_call", toolCallId: "c1" },
    ],
    ["c1"],
  );
  for (const model of ["claude-sonnet-4-5", "claude-opus-4-6", "claude-opus-5-5"]) {
    const { bodies, answers } = await asked(
      [
        {
          messages: [user("Hi"), reasoned, result("c1", "found")],
          tools: [look],
          reasoning: { enabled: true, budgetTokens: 2048 },
        },
      ],
      model,
    );
    expect(JSON.stringify(bodies[0])).not.toContain("Secret.");
    expect(shape(bodies[0])[1]).toEqual(["assistant", ["tool_use"]]);
    expect(bodies[0]?.["thinking"]).toEqual(
      model === "claude-sonnet-4-5" ? undefined : { type: "adaptive", display: "summarized" },
    );
    if (model === "claude-sonnet-4-5") expect(answers[0]?.warnings).toMatchObject([{ subject: "reasoning" }]);
  }
});

test("no text block is empty or white space, and pairs are complete [providers.anthropic.no-empty-text] [field-bug:PB-provider-anthropic-06]", async () => {
  const { body } = await second(
    {
      parts: [
        { type: "text", text: " \n" },
        { type: "tool_call", name: "look" },
      ],
    },
    ([first, answer, one]) =>
      [
        first,
        answer,
        { ...(one as Message), content: "" },
        foreign([{ type: "text", text: "  " }]),
        user(""),
        user("  "),
      ] as Message[],
  );
  expect(shape(body)).toEqual([
    ["user", ["text"]],
    ["assistant", ["tool_use"]],
    ["user", ["tool_result", "text"]],
  ]);
  expect(blocksOf(body)[2]).not.toHaveProperty("content");
  for (const block of blocksOf(body)) if (block["type"] === "text") expect(String(block["text"]).trim()).not.toBe("");
});

test("a final answer to be continued is sent without trailing white space; a model that cannot continue it gets a user message [providers.anthropic.no-empty-text]", async () => {
  const messages = [user("Name a colour."), foreign([{ type: "text", text: "The colour is \n" }])];
  const { bodies: old } = await asked([{ messages }], "claude-sonnet-4-5");
  expect(blocksOf(old[0]).at(-1)).toMatchObject({ type: "text", text: "The colour is" });
  expect(shape(old[0]).at(-1)?.[0]).toBe("assistant");
  const { bodies: newer, answers } = await asked([{ messages }], "claude-opus-4-6");
  expect(shape(newer[0]).map(([role]) => role)).toEqual(["user", "assistant", "user"]);
  expect(answers[0]?.warnings).toMatchObject([{ code: "unsupported_setting", subject: "prefill" }]);
  const { bodies: thinking } = await asked([{ messages, reasoning: { enabled: true } }], "claude-sonnet-4-5");
  expect(shape(thinking[0]).map(([role]) => role)).toEqual(["user", "assistant", "user"]);
});

const pixel = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;

test("results contain images; those of a failed call follow all results [providers.anthropic.error-results] [providers.rule.images.tool-results]", async () => {
  const { body } = await second(
    { toolCalls: [{ name: "look" }, { name: "look" }, { name: "look" }] },
    ([first, answer, ...results]) =>
      [
        first,
        answer,
        { ...(results[0] as Message), content: [{ type: "text", text: "It broke:" }, pixel], isError: true },
        { ...(results[1] as Message), content: [{ type: "text", text: "See:" }, pixel] },
        { ...(results[2] as Message), content: [pixel], isError: true },
      ] as Message[],
  );
  expect(shape(body)[2]).toEqual([
    "user",
    ["tool_result", "tool_result", "tool_result", "text", "image", "text", "image"],
  ]);
  const results = blocksOf(body).filter(({ type }) => type === "tool_result");
  expect(results).toMatchObject([
    { is_error: true, content: [{ type: "text", text: "It broke:" }] },
    {
      content: [
        { type: "text", text: "See:" },
        { type: "image", source: { media_type: "image/png" } },
      ],
    },
    { is_error: true, content: [{ type: "text", text: "The call failed without a message." }] },
  ]);
});

test("images, PDF and text are sent unchanged; an unsupported type is named in a text [providers.rule.images] [messages.content-part]", async () => {
  const { bodies } = await asked([
    {
      messages: [
        user([
          { type: "image", url: "https://example.com/a.png" },
          { type: "file", data: new Uint8Array([37, 80, 68, 70]), mimeType: "application/pdf", filename: "a.pdf" },
          { type: "file", url: "https://example.com/b.pdf", mimeType: "application/pdf" },
          { type: "file", data: "R3LDvMOfZQ==", mimeType: "text/plain", filename: "b.txt" },
          { type: "file", data: "iVBORw0KGgo=", mimeType: "image/webp" },
          { type: "file", data: "UEsDBA==", mimeType: "application/zip", filename: "c.zip" },
          { type: "audio", data: "AAAA", mimeType: "audio/mp3" },
        ]),
      ],
    },
  ]);
  expect(blocksOf(bodies[0])).toMatchObject([
    { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
    { type: "document", source: { type: "base64", media_type: "application/pdf", data: "JVBERg==" }, title: "a.pdf" },
    { type: "document", source: { type: "url", url: "https://example.com/b.pdf" } },
    { type: "document", source: { type: "text", media_type: "text/plain", data: "Grüße" }, title: "b.txt" },
    { type: "image", source: { type: "base64", media_type: "image/png" } },
    { type: "text", text: expect.stringContaining('[file (application/zip) "c.zip" omitted: ') as string },
    { type: "text", text: expect.stringContaining("audio") as string },
  ]);
});

test("arguments that are not an object are sent back quoted, never as an empty object [providers.rule.argument-text.invalid]", async () => {
  for (const text of ['{"id": oops', "[1]", '"x"']) {
    const { body } = await second({ toolCalls: [{ name: "look", arguments: text }] });
    expect(blocksOf(body)[1]).toMatchObject({ type: "tool_use", input: { invalid_arguments: text } });
  }
});

test("thinking signed by another vendor's server is sent back to it, and never to a Claude [providers.anthropic.unsigned-thinking]", async () => {
  const sent = async (model: string, signature?: string): Promise<unknown> => {
    const bodies: unknown[] = [];
    const body = {
      id: "msg_1",
      content: [
        { type: "thinking", thinking: "Hm.", ...(signature === undefined ? {} : { signature }) },
        { type: "tool_use", id: "call_1", name: "look", input: {} },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const provider = replaying(model, {}, new TextEncoder().encode(JSON.stringify(body)), {}, bodies);
    const { message } = await provider.generate({ messages: [user("Hi")], tools: [look] });
    const history = [user("Hi"), message, result("call_1", "seen")];
    const { messages } = compileHistory(history, historyTarget(provider));
    await provider.generate({ messages, tools: [look] });
    return listAt(bodies[1], "messages", 1, "content")[0];
  };
  expect(await sent("kimi-k3")).toEqual({ type: "thinking", thinking: "Hm.", signature: "" });
  expect(await sent("kimi-k3", "")).toEqual({ type: "thinking", thinking: "Hm.", signature: "" });
  expect(await sent("deepseek-v4-pro", "91cfbb94")).toEqual({
    type: "thinking",
    thinking: "Hm.",
    signature: "91cfbb94",
  });
  expect(await sent("claude-opus-5")).toMatchObject({ type: "tool_use" });
});
