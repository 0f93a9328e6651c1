import type { Message } from "@bailiwick/core";
import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { collectChunks, finishedResponse, jsonAt } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { asked, foreign, look, result, shape, user } from "./ask.fixture.ts";
import { webSearch } from "./index.ts";
import { framed, replaying } from "./replay.fixture.ts";

/** A stream that breaks after a signed thought, in the middle of a hosted call. */
const broken = [
  { type: "message_start", message: { id: "msg_1", role: "assistant", content: [], usage: { input_tokens: 5 } } },
  { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "I should search." } },
  { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "c2lnbmVk" } },
  { type: "content_block_stop", index: 0 },
];
const hosted = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} };
const cuts: readonly (readonly object[])[] = [
  broken,
  [...broken, { type: "content_block_start", index: 1, content_block: hosted }],
  [
    ...broken,
    { type: "content_block_start", index: 1, content_block: hosted },
    { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"query":"x"}' } },
    { type: "content_block_stop", index: 1 },
  ],
];

test("An answer that ended before its hosted call returned is sent back without trailing thinking [providers.anthropic.thinking-replay.last]", async () => {
  for (const events of cuts) {
    const model = replaying("claude-opus-5", {}, framed(events));
    const request = { messages: [user("Hi")], tools: [webSearch()] };
    const { error } = await collectChunks(model.stream(request));
    const message = jsonAt(error, "partial", "message") as Message;
    const sent: unknown[] = [];
    const again = replaying("claude-opus-5", {}, framed([]), {}, sent);
    const { messages } = compileHistory([user("Hi"), message, user("Go on")], historyTarget(again));
    await collectChunks(again.stream({ messages }));
    expect(shape(sent[0] as Record<string, unknown>)).toEqual([["user", ["text", "text"]]]);
  }
});

test("A lone surrogate that a model wrote as an escape is replaced in a call's input [providers.rule.strings.escaped]", async () => {
  const answer = foreign([{ type: "tool_call", toolCallId: "a" }], ["a"]);
  const calls = [{ id: "a", name: "look", arguments: '{"id":"\\ud83d","\\udc00":"\\ud83d\\ude00 \\\\ud83d"}' }];
  const { bodies } = await asked([
    { messages: [user("Hi"), { ...answer, toolCalls: calls } as Message, result("a", "found")], tools: [look] },
  ]);
  expect(jsonAt(bodies[0], "messages", 1, "content", 0, "input")).toEqual({
    id: "\ufffd",
    "\ufffd": "\u{1f600} \\ud83d",
  });
});

test("Blocks in the start event of a streamed answer are part of it [providers.anthropic.content-in-start]", async () => {
  const call = {
    type: "tool_use",
    id: "toolu_1",
    name: "look",
    input: { id: "1" },
    caller: { type: "code_execution_20260120", tool_id: "srvtoolu_1" },
  };
  const events = [
    { type: "message_start", message: { id: "msg_1", role: "assistant", content: [call], usage: { input_tokens: 5 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Looking." } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 4 } },
    { type: "message_stop" },
  ];
  const { chunks } = await collectChunks(
    replaying("claude-opus-5", {}, framed(events)).stream({ messages: [user("Hi")], tools: [look] }),
  );
  expect(finishedResponse(chunks).message).toMatchObject({
    toolCalls: [{ id: "toolu_1", name: "look", input: { id: "1" } }],
    content: [{ type: "tool_call" }, { type: "text", text: "Looking." }],
  });
  expect(chunks.map(({ type }) => type).filter((type) => type.startsWith("tool_call"))).toEqual([
    "tool_call_start",
    "tool_call_delta",
    "tool_call_end",
  ]);
});

test("An HTTP error whose message is not text is quoted as JSON [providers.rule.errors.any-message]", async () => {
  for (const message of [{ reason: "no" }, ["no"], 7, null]) {
    const body = new TextEncoder().encode(
      JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }),
    );
    const model = replaying("claude-opus-5", {}, body, {
      status: 400,
      headers: { "content-type": "application/json" },
    });
    await expect(model.generate({ messages: [user("Hi")] })).rejects.toMatchObject({
      code: "MODEL_API_ERROR",
      status: 400,
      message: expect.stringContaining(JSON.stringify(message)) as string,
    });
  }
});
