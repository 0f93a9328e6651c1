import { createXai, xai } from "@ai-sdk/xai";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { ask, result, user, wireLook } from "./ask.fixture.ts";
import { aiSdk, hostedTool } from "./index.ts";
import { json, localServer, sse, type LocalServer } from "./local-server.fixture.ts";

const grok = (server: LocalServer) =>
  aiSdk(({ fetch, apiKey = "k" }) => createXai({ apiKey, baseURL: server.url, fetch })("grok-4"));
const usage = { input_tokens: 12, output_tokens: 7, output_tokens_details: { reasoning_tokens: 3 } };
const response = (status: string, more: object = {}) => ({
  id: "resp_1",
  object: "response",
  created_at: 1_760_000_000,
  model: "grok-4-0709",
  status,
  output: [],
  ...more,
});

/** Encrypted reasoning, a search on X that xAI runs, and a call for the agent. */
const calling = [
  { type: "response.created", response: response("in_progress") },
  {
    type: "response.output_item.done",
    output_index: 0,
    item: { type: "reasoning", id: "rs_1", summary: [], status: "completed", encrypted_content: "enc==" },
  },
  {
    type: "response.output_item.added",
    output_index: 1,
    item: {
      type: "x_search_call",
      id: "xs_1",
      name: "x_keyword_search",
      arguments: '{"query":"x"}',
      status: "in_progress",
    },
  },
  {
    type: "response.output_item.done",
    output_index: 1,
    item: {
      type: "x_search_call",
      id: "xs_1",
      name: "x_keyword_search",
      arguments: '{"query":"x"}',
      status: "completed",
    },
  },
  {
    type: "response.output_item.added",
    output_index: 2,
    item: { type: "function_call", id: "fc_1", call_id: "call_1", name: wireLook, arguments: "" },
  },
  { type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 2, delta: '{"id":' },
  { type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 2, delta: '"7"}' },
  { type: "response.function_call_arguments.done", item_id: "fc_1", output_index: 2, arguments: '{"id":"7"}' },
  {
    type: "response.output_item.done",
    output_index: 2,
    item: { type: "function_call", id: "fc_1", call_id: "call_1", name: wireLook, arguments: '{"id":"7"}' },
  },
];

test("xAI's reasoning, its own search and a call are read from a stream, and the reasoning is sent back encrypted [providers.ai-sdk.whole-call]", async () => {
  const search = hostedTool(xai.tools.xSearch(), { sideEffectClass: "read-only" });
  await using server = await localServer([
    sse(...calling, { type: "response.completed", response: response("completed", { usage }) }),
  ]);
  const model = grok(server);
  const tools = [...(ask(model, []).tools ?? []), search];
  const { chunks, error } = await collectChunks(model.stream(ask(model, [user("Order 7?")], { tools })));
  expect(error).toBeUndefined();
  const answer = finishedResponse(chunks);
  expect(answer.message.content.map(({ type }) => type)).toEqual(["reasoning", "hosted_tool", "tool_call"]);
  expect(answer.message.toolCalls).toMatchObject([{ id: "call_1", input: { id: "7" } }]);
  expect(chunks.flatMap((chunk) => (chunk.type === "tool_call_start" ? [chunk.toolCall.id] : []))).toEqual(["call_1"]);
  expect(answer).toMatchObject({
    finishReason: "tool_calls",
    responseModel: "grok-4-0709",
    usage: { inputTokens: 12, reasoningTokens: 3 },
  });
  await collectChunks(
    model.stream(ask(model, [user("Order 7?"), answer.message, result("call_1", "Paid.")], { tools })),
  );
  const [first, second] = server.requests.map(({ body }) => body as { tools?: object[]; input: { type?: string }[] });
  expect(first?.tools?.at(-1)).toMatchObject({ type: "x_search" });
  expect(JSON.stringify(second?.input)).toContain("enc==");
  expect(second?.input.at(-1)).toMatchObject({ type: "function_call_output", call_id: "call_1", output: "Paid." });
});

test("calls of a truncated answer are not a turn of calls, whole and streamed [providers.ai-sdk.cut-off]", async () => {
  const cutOff = response("incomplete", { usage, incomplete_details: { reason: "max_output_tokens" } });
  const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: wireLook, arguments: '{"id":' };
  await using server = await localServer([
    sse(...calling, { type: "response.incomplete", response: cutOff }),
    json({ ...cutOff, output: [call] }),
  ]);
  const model = grok(server);
  const { chunks } = await collectChunks(model.stream(ask(model, [user("Hi")])));
  expect(finishedResponse(chunks)).toMatchObject({ finishReason: "length" });
  expect(await model.generate(ask(model, [user("Hi")]))).toMatchObject({ finishReason: "length" });
});
