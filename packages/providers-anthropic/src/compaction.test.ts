import { answerText } from "@bailiwick/core";
import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { collectChunks, finishedResponse, jsonAt } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { user } from "./ask.fixture.ts";
import { anthropicOptions } from "./index.ts";
import { framed, replaying } from "./replay.fixture.ts";

const contextManagement = { edits: [{ type: "compact_20260112" }, { type: "clear_tool_uses_20250919" }] };
const options = { providerOptions: anthropicOptions({ contextManagement }) };
const block = {
  type: "compaction",
  content: "They asked for a refund.",
  encrypted_content: "opaque",
  signature: "sig",
};
const events = [
  {
    type: "message_start",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-opus-5",
      content: [],
      usage: { input_tokens: 3, output_tokens: 1 },
    },
  },
  { type: "content_block_start", index: 0, content_block: { ...block, content: null, encrypted_content: null } },
  {
    type: "content_block_delta",
    index: 0,
    delta: { type: "compaction_delta", content: "They asked ", encrypted_content: null },
  },
  {
    type: "content_block_delta",
    index: 0,
    delta: { type: "compaction_delta", content: "for a refund.", encrypted_content: "opaque" },
  },
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Going on." } },
  { type: "content_block_stop", index: 1 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 4 } },
  { type: "message_stop" },
];

test("compaction and editing by the vendor set their betas, and compacted content is sent back unchanged [feature:X042]", async () => {
  const sent: unknown[] = [];
  const headers: Headers[] = [];
  const model = replaying("claude-opus-5", {}, framed(events), {}, sent, headers);
  const ask = { messages: [user("Hi")], ...options };
  const { message } = finishedResponse((await collectChunks(model.stream(ask))).chunks);
  expect(answerText(message)).toBe("Going on.");
  const { messages } = compileHistory([user("Hi"), message, user("And?")], historyTarget(model));
  await collectChunks(model.stream({ messages, ...options }));
  expect(jsonAt(sent[1], "messages", 1, "content", 0)).toEqual(block);
  for (const body of sent) expect(jsonAt(body, "context_management")).toEqual(contextManagement);
  expect(headers[0]?.get("anthropic-beta")?.split(",")).toEqual(
    expect.arrayContaining(["compact-2026-01-12", "context-management-2025-06-27"]),
  );
});

test("without compaction, no beta is requested [feature:X042]", async () => {
  const headers: Headers[] = [];
  await collectChunks(
    replaying("claude-opus-5", {}, framed(events), {}, [], headers).stream({ messages: [user("Hi")] }),
  );
  expect(headers[0]?.get("anthropic-beta") ?? "").not.toMatch(/compact|context-management/);
});

test("Usage includes a compaction by the vendor, which is billed separately from the answer [providers.anthropic.usage.iterations]", async () => {
  const iterations = [
    { type: "compaction", input_tokens: 180_000, output_tokens: 3500, cache_read_input_tokens: 20 },
    { type: "message", input_tokens: 23_000, output_tokens: 1000 },
  ];
  const compacted = events.with(events.length - 2, {
    type: "message_delta",
    delta: { stop_reason: "end_turn" },
    usage: { input_tokens: 23_000, output_tokens: 1000, iterations },
  } as (typeof events)[number]);
  const model = replaying("claude-opus-5", {}, framed(compacted));
  expect(finishedResponse((await collectChunks(model.stream({ messages: [user("Hi")] }))).chunks).usage).toMatchObject({
    inputTokens: 203_020,
    outputTokens: 4500,
    totalTokens: 207_520,
    cachedTokens: 20,
    vendorRequests: 2,
  });
});
