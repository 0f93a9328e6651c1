import { createCohere } from "@ai-sdk/cohere";
import { createMistral } from "@ai-sdk/mistral";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { ask, result, user, wireLook } from "./ask.fixture.ts";
import { aiSdk } from "./index.ts";
import { bodyAt, json, localServer, sse } from "./local-server.fixture.ts";

test("Cohere's stream of thinking, text and a call is read completely, and its result is sent back", async () => {
  const events = sse(
    { type: "message-start", id: "m1" },
    { type: "content-start", index: 0, delta: { message: { content: { type: "thinking", thinking: "" } } } },
    { type: "content-delta", index: 0, delta: { message: { content: { thinking: "Hm." } } } },
    { type: "content-end", index: 0 },
    {
      type: "tool-call-start",
      delta: {
        message: { tool_calls: { id: "look_1", type: "function", function: { name: wireLook, arguments: "" } } },
      },
    },
    { type: "tool-call-delta", delta: { message: { tool_calls: { function: { arguments: '{"id": ' } } } } },
    { type: "tool-call-delta", delta: { message: { tool_calls: { function: { arguments: '"7"}' } } } } },
    { type: "tool-call-end" },
    {
      type: "message-end",
      delta: { finish_reason: "TOOL_CALL", usage: { tokens: { input_tokens: 11, output_tokens: 5 } } },
    },
  );
  const done = json({
    generation_id: "g",
    message: { role: "assistant", content: [{ type: "text", text: "Paid." }] },
    finish_reason: "COMPLETE",
    usage: { billed_units: { input_tokens: 20, output_tokens: 2 }, tokens: { input_tokens: 20, output_tokens: 2 } },
  });
  await using server = await localServer([events, done]);
  const model = aiSdk(({ fetch, apiKey = "k" }) =>
    createCohere({ apiKey, baseURL: server.url, fetch })("command-a-03-2025"),
  );
  const { chunks, error } = await collectChunks(model.stream(ask(model, [user("Order 7?")])));
  expect(error).toBeUndefined();
  const answer = finishedResponse(chunks);
  expect(answer.message.toolCalls).toMatchObject([{ id: "look_1", input: { id: "7" } }]);
  expect(answer.message.content[0]).toMatchObject({ type: "reasoning", text: "Hm." });
  expect(answer).toMatchObject({ finishReason: "tool_calls", usage: { inputTokens: 11, outputTokens: 5 } });
  const next = await model.generate(ask(model, [user("Order 7?"), answer.message, result("look_1", "Paid.")]));
  expect(next).toMatchObject({ finishReason: "stop", rawFinishReason: "COMPLETE" });
  const { messages } = bodyAt<{ messages: { role: string; tool_call_id?: string }[] }>(server, 1);
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  expect(messages[2]?.tool_call_id).toBe("look_1");
});

test("Mistral gets ids of nine letters and an answer between a result and the user message, and its stream has usage", async () => {
  const choice = (delta: object, finish_reason: string | null = null) => ({
    id: "c1",
    model: "mistral-large-2512",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const events = sse(
    choice({ role: "assistant", content: "Pa" }),
    choice({ content: "id." }),
    { ...choice({ content: "" }, "stop"), usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } },
    "[DONE]",
  );
  await using server = await localServer([events]);
  const model = aiSdk(({ fetch, apiKey = "k" }) =>
    createMistral({ apiKey, baseURL: server.url, fetch })("mistral-large-latest"),
  );
  const history = [
    user("Order 7?"),
    {
      id: "a",
      role: "assistant" as const,
      content: [{ type: "tool_call" as const, toolCallId: "call_abcdefghijklmnop" }],
      toolCalls: [{ id: "call_abcdefghijklmnop", name: "orders.look", arguments: "{}" }],
      finishReason: "tool_calls" as const,
      provenance: { provider: "openai", api: "chat", model: "gpt-4.1" },
    },
    result("call_abcdefghijklmnop", "Paid."),
    user("And?", "u2"),
  ];
  const { chunks } = await collectChunks(model.stream(ask(model, history, { parallelToolCalls: false })));
  const answer = finishedResponse(chunks);
  expect(answer).toMatchObject({
    responseModel: "mistral-large-2512",
    finishReason: "stop",
    usage: { inputTokens: 9, outputTokens: 3 },
    warnings: [],
  });
  const { messages, parallel_tool_calls } = bodyAt<{
    messages: { role: string; tool_calls?: { id: string }[]; tool_call_id?: string }[];
    parallel_tool_calls: boolean;
  }>(server, 0);
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "user"]);
  expect(messages[1]?.tool_calls?.[0]?.id).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(messages[2]?.tool_call_id).toBe(messages[1]?.tool_calls?.[0]?.id);
  expect(parallel_tool_calls).toBe(false);
});
