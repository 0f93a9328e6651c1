import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { recordedServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { openai } from "../index.ts";
import { replaying } from "../replay.fixture.ts";
import { calls, delta, end, head, replay, streamedCalls, user } from "./chat.fixture.ts";

const hi = { messages: [user("Hi")] };

/** Reads a whole body. */
async function read(body: object, compat: "openrouter" | "vllm" = "vllm") {
  await using server = await recordedServer({ wire: "openai-chat", json: JSON.stringify(body) });
  const model = openai("m", { compat, apiKey: "k", baseURL: server.baseURL("openai") });
  return await model.generate(hi);
}

/** Reads a stream that is given as text. */
const streamOf = (text: string) =>
  collectChunks(replaying("some-model", { api: "chat", compat: "vllm" }, new TextEncoder().encode(text)).stream(hi));

test("an error after the stop reason leaves the answer complete, with a warning and the usage [providers.openai-chat.gateway-errors]", async () => {
  // https://github.com/pydantic/pydantic-ai: tests/models/cassettes/test_openrouter/test_openrouter_stream_error.yaml
  const usage = { prompt_tokens: 43, completion_tokens: 10, total_tokens: 53 };
  const late = { ...delta({ content: "" }), error: { code: 400, message: "Token limit reached" }, usage };
  const { chunks, error } = await replay([delta({ reasoning: "We need" }, "length"), late, "[DONE]"]);
  expect(error).toBeUndefined();
  const response = finishedResponse(chunks);
  expect(response).toMatchObject({ finishReason: "length", usage: { inputTokens: 43, outputTokens: 10 } });
  expect(response.warnings).toMatchObject([
    { code: "late_error", message: expect.stringContaining("Token limit reached") as string },
  ]);
});

test("An error before the stop reason fails the stream, with the usage so far [providers.openai-chat.gateway-errors]", async () => {
  const usage = { prompt_tokens: 43, completion_tokens: 10, total_tokens: 53 };
  const { error } = await replay([delta({ content: "Hi" }), { ...delta({}), error: { message: "Gone" }, usage }]);
  expect(error).toMatchObject({ partial: { usage: { inputTokens: 43, outputTokens: 10 } } });
});

test("An answer that a server does not stream is still read [providers.openai-chat.gateway-extras]", async () => {
  const message = { role: "assistant", content: "Hi", reasoning: "Hm" };
  const body = { id: "c", object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }] };
  for (const text of [JSON.stringify(body), `data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n`]) {
    const { chunks, error } = await streamOf(text);
    expect(error).toBeUndefined();
    expect(chunks.map(({ type }) => type)).toEqual(["thinking", "text", "finish"]);
    expect(finishedResponse(chunks).message.content).toMatchObject([{ text: "Hm" }, { text: "Hi" }]);
  }
});

test("A message that repeats the streamed text at the end is not added to it [providers.openai-chat.gateway-extras]", async () => {
  // https://platform.minimax.io/docs/api-reference/text-post
  const whole = { ...head, choices: [{ index: 0, finish_reason: "stop", message: { content: "Hello" } }] };
  const { chunks } = await replay([delta({ content: "Hel" }), delta({ content: "lo" }), whole, "[DONE]"]);
  expect(finishedResponse(chunks).message.content).toMatchObject([{ type: "text", text: "Hello" }]);
});

test("The error text in llama.cpp's own field reaches the caller [providers.openai-chat.gateway-errors]", async () => {
  const { error } = await streamOf(
    `data: ${JSON.stringify(delta({ content: "Hi" }))}\n\nerror: {"code":500,"message":"slot gone"}\n\n`,
  );
  expect(error).toMatchObject({ message: expect.stringContaining("slot gone") as string });
});

test("A call in the form before tools is a call [providers.openai-chat.gateway-extras]", async () => {
  const { message, finishReason } = await read({
    choices: [
      {
        index: 0,
        message: { content: null, function_call: { name: "look", arguments: '{"id":"1"}' } },
        finish_reason: "function_call",
      },
    ],
  });
  expect([message.toolCalls[0]?.input, finishReason]).toEqual([{ id: "1" }, "tool_calls"]);
  const streamed = await streamedCalls([
    delta({ function_call: { name: "look", arguments: "" } }),
    delta({ function_call: { arguments: '{"id":"1"}' } }),
    ...end("function_call"),
  ]);
  expect(streamed).toEqual(['look {"id":"1"}']);
});

test("Arguments that were encoded twice are read, and are sent back as an object [providers.openai-chat.gateway-extras]", async () => {
  const written = JSON.stringify('{"id":"1"}');
  const { chunks } = await replay([
    calls({ index: 0, id: "a", type: "function", function: { name: "look", arguments: written } }),
    ...end(),
  ]);
  const { message } = finishedResponse(chunks);
  expect(message.toolCalls[0]?.input).toEqual({ id: "1" });
  await using server = await recordedServer({ wire: "openai-chat", json: "{}" });
  const model = openai("m", { compat: "vllm", apiKey: "k", baseURL: server.baseURL("openai") });
  const result = { id: "r", role: "tool", toolCallId: "a", toolName: "look", content: "There." } as const;
  await model.generate({ messages: [...hi.messages, message, result] }).catch(() => undefined);
  expect(server.requests[0]?.body).toMatchObject({
    messages: [{}, { tool_calls: [{ function: { arguments: '{"id":"1"}' } }] }, {}],
  });
});

test("The first of several answers is read, at any position in the list [providers.openai-chat.gateway-extras]", async () => {
  const choice = (index: number, content: string) => ({ index, message: { content }, finish_reason: "stop" });
  const { message, warnings } = await read({ choices: [choice(1, "second"), choice(0, "first")] });
  expect(message.content).toMatchObject([{ text: "first" }]);
  expect(warnings).toMatchObject([{ code: "answers_unused" }]);
});

test("MiniMax gets its own setting for thinking, and images only with M3 [providers.openai-chat.compat.thinking]", async () => {
  await using server = await recordedServer({ wire: "openai-chat", json: "{}" });
  const ask = async (id: string, enabled: boolean) => {
    const model = openai(id, { compat: "minimax", apiKey: "k", baseURL: server.baseURL("openai") });
    await model.generate({ ...hi, reasoning: { enabled } }).catch(() => undefined);
    const body = server.requests.at(-1)?.body as { thinking?: unknown } | undefined;
    return [body?.thinking, model.capabilities.input.image];
  };
  expect(await ask("MiniMax-M3", true)).toEqual([{ type: "adaptive" }, true]);
  expect(await ask("MiniMax-M2.7", false)).toEqual([{ type: "disabled" }, false]);
});
