import type { Logger } from "@bailiwick/core";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { look, user } from "./ask.fixture.ts";
import { framed, replaying } from "./replay.fixture.ts";

const start = (usage: object = { input_tokens: 10, output_tokens: 1 }) => ({
  type: "message_start",
  message: { id: "msg_1", role: "assistant", content: [], usage },
});
const begin = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });
const add = (index: number, delta: object) => ({ type: "content_block_delta", index, delta });
const end = (index: number) => ({ type: "content_block_stop", index });
const stopping = (stop_reason: string | null, usage: object = { output_tokens: 5 }) => ({
  type: "message_delta",
  delta: { stop_reason },
  usage,
});
const stopped = { type: "message_stop" };
const text = (index: number, said: string) => [
  begin(index, { type: "text", text: "" }),
  add(index, { type: "text_delta", text: said }),
  end(index),
];

const play = (events: readonly object[], logger?: Logger) =>
  collectChunks(
    replaying("claude-opus-4-6", { logger }, framed(events)).stream({ messages: [user("Hi")], tools: [look] }),
  );

test("tokens read from and written to the cache are added, and message_delta corrects the counts [providers.anthropic.usage]", async () => {
  const { chunks } = await play([
    start({
      input_tokens: 10,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 5,
      output_tokens: 1,
      cache_creation: { ephemeral_5m_input_tokens: 5 },
    }),
    ...text(0, "Hi"),
    stopping("end_turn", {
      input_tokens: 12,
      cache_creation_input_tokens: null,
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 30 },
    }),
    stopped,
  ]);
  expect(finishedResponse(chunks).usage).toEqual({
    inputTokens: 117,
    outputTokens: 50,
    totalTokens: 167,
    cachedTokens: 100,
    cacheWriteTokens: 5,
    reasoningTokens: 30,
    providerMetrics: {
      input_tokens: 12,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 5,
      output_tokens: 50,
      cache_creation: { ephemeral_5m_input_tokens: 5 },
      output_tokens_details: { thinking_tokens: 30 },
    },
  });
});

describe("stops", () => {
  const call = [begin(0, { type: "tool_use", id: "toolu_1", name: "look", input: {} }), end(0)];
  const rows: readonly [string | null, readonly object[], string][] = [
    ["end_turn", text(0, "Hi"), "stop"],
    ["stop_sequence", text(0, "Hi"), "stop"],
    ["max_tokens", text(0, "Hi"), "length"],
    ["max_tokens", call, "length"],
    ["model_context_window_exceeded", text(0, "Hi"), "length"],
    ["tool_use", call, "tool_calls"],
    ["end_turn", call, "tool_calls"],
    ["refusal", call, "content_filter"],
    ["pause_turn", text(0, "Hi"), "other"],
    ["something_new", text(0, "Hi"), "other"],
    [null, call, "tool_calls"],
  ];
  for (const [raw, blocks, expected] of rows) {
    test(`${String(raw)} with ${blocks === call ? "a call" : "text"} is ${expected} [providers.anthropic.stops]`, async () => {
      const { chunks } = await play([start(), ...blocks, stopping(raw), stopped]);
      expect(finishedResponse(chunks)).toMatchObject({ finishReason: expected, rawFinishReason: raw ?? undefined });
    });
  }
});

test("a refusal has its reason, after any content [providers.anthropic.stops]", async () => {
  const stop_details = { type: "refusal", category: "cyber", explanation: "This may harm." };
  const { chunks } = await play([
    start(),
    ...text(0, "Well"),
    { type: "message_delta", delta: { stop_reason: "refusal", stop_details }, usage: { output_tokens: 4 } },
    stopped,
  ]);
  expect(finishedResponse(chunks)).toMatchObject({
    finishReason: "content_filter",
    message: {
      content: [
        { type: "text", text: "Well" },
        { type: "refusal", text: "This may harm." },
      ],
    },
  });
});

test("input may be complete at the start, arrive in pieces, or be absent [providers.anthropic.input-in-start]", async () => {
  const { chunks } = await play([
    start(),
    begin(0, { type: "tool_use", id: "a", name: "look", input: { id: "1" } }),
    end(0),
    begin(1, { type: "tool_use", id: "b", name: "look", input: {} }),
    add(1, { type: "input_json_delta", partial_json: "" }),
    add(1, { type: "input_json_delta", partial_json: '{"id":' }),
    add(1, { type: "input_json_delta", partial_json: ' "2"}' }),
    end(1),
    begin(2, { type: "tool_use", id: "c", name: "look", input: {} }),
    end(2),
    begin(3, { type: "tool_use", id: "d", name: "look", input: {} }),
    stopping("tool_use"),
    stopped,
  ]);
  expect(finishedResponse(chunks).message.toolCalls.map((call) => [call.id, call.arguments, call.input])).toEqual([
    ["a", '{"id":"1"}', { id: "1" }],
    ["b", '{"id": "2"}', { id: "2" }],
    ["c", "{}", {}],
    ["d", "{}", {}],
  ]);
  expect(
    chunks.flatMap((chunk) => (chunk.type === "tool_call_delta" ? [[chunk.toolCallId, chunk.argumentsDelta]] : [])),
  ).toEqual([
    ["a", '{"id":"1"}'],
    ["b", '{"id":'],
    ["b", ' "2"}'],
    ["c", "{}"],
    ["d", "{}"],
  ]);
  for (const id of ["a", "b", "c", "d"]) {
    const own = chunks.filter(
      (chunk) => ("toolCallId" in chunk ? chunk.toolCallId : "toolCall" in chunk ? chunk.toolCall.id : "") === id,
    );
    expect([own.at(0)?.type, own.at(-1)?.type]).toEqual(["tool_call_start", "tool_call_end"]);
    const written = own.map((chunk) => (chunk.type === "tool_call_delta" ? chunk.argumentsDelta : "")).join("");
    expect(written).toBe(finishedResponse(chunks).message.toolCalls.find((call) => call.id === id)?.arguments);
  }
});

test("a call is final at its block's end, even if its input could be parsed earlier [providers.rule.argument-text.final]", async () => {
  const events = [
    start(),
    begin(0, { type: "tool_use", id: "a", name: "look", input: {} }),
    add(0, { type: "input_json_delta", partial_json: '{"id":"1"}' }),
    add(0, { type: "input_json_delta", partial_json: " " }),
  ];
  const { chunks, error } = await play(events);
  expect(chunks.some(({ type }) => type === "tool_call_end" || type === "finish")).toBe(false);
  expect(error).toMatchObject({
    code: "MODEL_RESPONSE_INVALID",
    retryable: true,
    partial: { finishReason: "error", message: { partial: true } },
  });
});

test("repeated start events, pings and unknown events are ignored [providers.anthropic.survives-noise] [providers.rule.unknown-events]", async () => {
  const told: unknown[] = [];
  const tell = (message: string, fields?: unknown): void => void told.push([message, fields]);
  const logger: Logger = { debug: tell, info: tell, warn: tell, error: tell };
  const { chunks, error } = await play(
    [
      { type: "ping" },
      start(),
      start({ input_tokens: 99, output_tokens: 9 }),
      begin(0, { type: "text", text: "" }),
      begin(0, { type: "text", text: "" }),
      { type: "ping" },
      add(0, { type: "text_delta", text: "Hel" }),
      start(),
      { type: "weather_report", rain: true },
      add(0, { type: "sparkle_delta", sparkle: "!" }),
      add(0, { type: "text_delta", text: "lo" }),
      end(0),
      end(0),
      // Another stream was spliced in: it counts from zero again.
      begin(0, { type: "tool_use", id: "a", name: "look", input: {} }),
      end(0),
      add(7, { type: "text_delta", text: " lost" }),
      stopping("tool_use"),
      stopped,
      ...text(9, "never"),
    ],
    logger,
  );
  expect(error).toBeUndefined();
  const { message, usage } = finishedResponse(chunks);
  expect(message.content).toMatchObject([
    { type: "text", text: "Hello" },
    { type: "tool_call", toolCallId: "a" },
    { type: "text", text: " lost" },
  ]);
  expect(usage.inputTokens).toBe(10);
  expect(told).toEqual([
    ["An event of the Messages API is not known and was ignored.", { type: "weather_report" }],
    ["A delta of the Messages API is not known and was kept as it is.", { type: "sparkle_delta" }],
  ]);
});

test("a stream without its closing event is complete only if it has a stop reason [providers.rule.stream-end]", async () => {
  const { error } = await play([start(), ...text(0, "Hi")]);
  expect(error).toMatchObject({ code: "MODEL_RESPONSE_INVALID", retryable: true });
  const { error: early } = await play([start()]);
  expect(early).toMatchObject({ retryable: true, partial: { usage: { inputTokens: 10 } } });
  const { chunks } = await play([start(), ...text(0, "Hi"), stopping("end_turn")]);
  expect(finishedResponse(chunks)).toMatchObject({ finishReason: "stop" });
});

test("an event that cannot be read is an error [providers.rule.stream-end]", async () => {
  const bytes = new TextEncoder().encode("event: message_start\ndata: {oops\n\n");
  const { error } = await collectChunks(replaying("claude-opus-4-6", {}, bytes).stream({ messages: [user("Hi")] }));
  expect(error).toMatchObject({ code: "MODEL_RESPONSE_INVALID", retryable: true });
});

test("content that other servers put into a block's start event is shown too [messages.stream-chunk]", async () => {
  const { chunks } = await play([
    start(),
    begin(0, { type: "thinking", thinking: "Hm.", signature: "s" }),
    end(0),
    begin(1, { type: "text", text: "Hello." }),
    end(1),
    stopping("end_turn"),
    stopped,
  ]);
  expect(chunks.slice(0, 2)).toEqual([
    { type: "thinking", text: "Hm." },
    { type: "text", text: "Hello." },
  ]);
  expect(finishedResponse(chunks).message.content).toMatchObject([
    { type: "reasoning", text: "Hm." },
    { type: "text", text: "Hello." },
  ]);
});
