import { ModelError } from "@bailiwick/core";
import type { Message } from "@bailiwick/core";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { ask, look, result, user, wireLook } from "./ask.fixture.ts";
import { createAmazonBedrock } from "./bedrock.fixture.ts";
import { eventStream } from "./event-stream.fixture.ts";
import { aiSdk } from "./index.ts";
import { bodyAt, json, localServer, type LocalServer } from "./local-server.fixture.ts";

const assistant = (text: string): Message => ({
  id: text,
  role: "assistant",
  content: [{ type: "text", text }],
  toolCalls: [],
  finishReason: "stop",
  provenance: { provider: "elsewhere", api: "x", model: "y" },
});

const claude = (server: LocalServer) =>
  aiSdk(({ fetch, apiKey = "bedrock-key" }) =>
    createAmazonBedrock({ region: "eu-central-1", baseURL: server.url, apiKey, fetch })(
      "anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
  );

/** Thinking, text and a call whose arguments arrive in pieces, one of them split within a character. */
const calling = eventStream(
  ["messageStart", { role: "assistant" }],
  ["contentBlockDelta", { contentBlockIndex: 0, delta: { reasoningContent: { text: "Let me " } } }],
  ["contentBlockDelta", { contentBlockIndex: 0, delta: { reasoningContent: { text: "look." } } }],
  ["contentBlockDelta", { contentBlockIndex: 0, delta: { reasoningContent: { signature: "sig+/=1" } } }],
  ["contentBlockStop", { contentBlockIndex: 0 }],
  ["contentBlockDelta", { contentBlockIndex: 1, delta: { text: "Grüße 👋" } }],
  ["contentBlockStop", { contentBlockIndex: 1 }],
  ["contentBlockStart", { contentBlockIndex: 2, start: { toolUse: { toolUseId: "tooluse_a", name: wireLook } } }],
  ["contentBlockDelta", { contentBlockIndex: 2, delta: { toolUse: { input: '{"id":' } } }],
  ["contentBlockDelta", { contentBlockIndex: 2, delta: { toolUse: { input: '"7"}' } } }],
  ["contentBlockStop", { contentBlockIndex: 2 }],
  ["messageStop", { stopReason: "tool_use" }],
  ["metadata", { usage: { inputTokens: 20, outputTokens: 9, totalTokens: 29, cacheReadInputTokens: 4 } }],
);

test("Bedrock's event-stream frames become thinking, text, a call and usage, and are sent back with the signature [providers.ai-sdk.target]", async () => {
  const done = json({
    output: { message: { role: "assistant", content: [{ text: "Paid." }] } },
    stopReason: "end_turn",
    usage: { inputTokens: 30, outputTokens: 2, totalTokens: 32 },
  });
  await using server = await localServer([calling, done]);
  const model = claude(server);
  const { chunks, error } = await collectChunks(model.stream(ask(model, [user("Order 7?")])));
  expect(error).toBeUndefined();
  const answer = finishedResponse(chunks);
  expect(answer.message.content.map(({ type }) => type)).toEqual(["reasoning", "text", "tool_call"]);
  expect(answer.message.toolCalls).toMatchObject([{ id: "tooluse_a", input: { id: "7" }, arguments: '{"id":"7"}' }]);
  expect(answer).toMatchObject({
    finishReason: "tool_calls",
    rawFinishReason: "tool_use",
    usage: { inputTokens: 24, outputTokens: 9, totalTokens: 33, cachedTokens: 4 },
  });
  expect(chunks.flatMap((chunk) => (chunk.type === "tool_call_delta" ? [chunk.argumentsDelta] : []))).toEqual([
    '{"id":',
    '"7"}',
  ]);

  const next = await model.generate(ask(model, [user("Order 7?"), answer.message, result("tooluse_a", "Paid.")]));
  expect(next).toMatchObject({ finishReason: "stop", message: { content: [{ type: "text", text: "Paid." }] } });
  const [first, second] = server.requests as { readonly path: string; readonly body: Record<string, never> }[];
  expect(first?.path).toBe("/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream");
  expect(second?.path).toContain("/converse");
  const { messages } = bodyAt<{ messages: { role: string; content: object[] }[] }>(server, 1);
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  expect(messages[1]?.content).toEqual([
    { reasoningContent: { reasoningText: { text: "Let me look.", signature: "sig+/=1" } } },
    { text: "Grüße 👋" },
    { toolUse: { toolUseId: "tooluse_a", name: wireLook, input: { id: "7" } } },
  ]);
  expect(messages[2]?.content).toEqual([
    { toolResult: { toolUseId: "tooluse_a", content: [{ text: "Paid." }] } },
    { cachePoint: { type: "default" } },
  ]);
});

test.each([
  ["anthropic.claude-sonnet-4-5-20250929-v1:0", undefined, 3],
  ["eu.amazon.nova-pro-v1:0", undefined, 3],
  ["anthropic.claude-sonnet-4-5-20250929-v1:0", false, 0],
  ["anthropic.claude-3-haiku-20240307-v1:0", undefined, 0],
  ["mistral.mistral-large-2407-v1:0", undefined, 0],
])(
  "instructions and the last two turns are marked for the cache of %s (caching %s: %i marks)",
  async (id, caching, marks) => {
    await using server = await localServer([
      json({
        output: { message: { role: "assistant", content: [{ text: "Yes." }] } },
        stopReason: "end_turn",
        usage: { inputTokens: 9, outputTokens: 1, totalTokens: 10, cacheReadInputTokens: 4, cacheWriteInputTokens: 2 },
      }),
    ]);
    const model = aiSdk(createAmazonBedrock({ region: "eu-central-1", baseURL: server.url, apiKey: "k" })(id));
    const history: Message[] = [
      { id: "s", role: "system", content: "Be brief." },
      user("One", "u1"),
      assistant("Two"),
      user("Three", "u2"),
      assistant("Four"),
      user("Five", "u3"),
    ];
    const { usage } = await model.generate(ask(model, history, { caching }));
    expect(usage).toMatchObject({ cachedTokens: 4, cacheWriteTokens: 2 });
    const { system, messages } = bodyAt<{ system: object[]; messages: { content: object[] }[] }>(server, 0);
    const ends = [system, ...messages.map(({ content }) => content)].map(
      (content) => "cachePoint" in (content.at(-1) ?? {}),
    );
    expect(ends.filter(Boolean)).toHaveLength(marks);
    if (marks > 0) expect(ends).toEqual([true, false, false, true, false, true]);
  },
);

test("an exception frame of Bedrock before output can be retried, and keeps its text", async () => {
  await using server = await localServer([
    eventStream(
      ["messageStart", { role: "assistant" }],
      ["throttlingException", { message: "Too many requests, wait." }],
    ),
  ]);
  const { error } = await collectChunks(claude(server).stream(ask(claude(server), [user("Hi")])));
  expect(error).toBeInstanceOf(ModelError);
  expect(error).toMatchObject({ code: "MODEL_RATE_LIMITED", retryable: true, provider: "amazon-bedrock" });
  expect(String(error)).toContain("Too many requests");
});

test("a Bedrock stream that ends within a frame is an error and keeps the received text [providers.ai-sdk.errors]", async () => {
  const [start, thought, ...rest] = calling.body;
  const text = rest[3];
  await using server = await localServer([
    { ...calling, body: [start ?? "", thought ?? "", (text as Uint8Array).subarray(0, 30)] },
  ]);
  const { error } = await collectChunks(claude(server).stream(ask(claude(server), [user("Hi")])));
  expect(error).toBeInstanceOf(ModelError);
  expect(error).toMatchObject({ retryable: true, partial: { message: { partial: true } } });
});

test("an HTTP error of Bedrock becomes a typed error with its request id and delay", async () => {
  await using server = await localServer([
    json({ message: "Too many tokens, please wait before trying again." }, 429, {
      "x-amzn-requestid": "req-1",
      "retry-after": "3",
    }),
    json({ message: "Input is too long for requested model." }, 400),
  ]);
  const model = claude(server);
  await expect(model.generate(ask(model, [user("Hi")]))).rejects.toMatchObject({
    code: "MODEL_RATE_LIMITED",
    requestId: "req-1",
    retryAfterMs: 3000,
  });
  await expect(model.generate(ask(model, [user("Hi")]))).rejects.toMatchObject({ code: "CONTEXT_OVERFLOW" });
});

test("media of a tool's result are sent to Bedrock in the result, and a URL becomes a text", async () => {
  await using server = await localServer([
    json({
      output: { message: { role: "assistant", content: [{ text: "A dot." }] } },
      stopReason: "end_turn",
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    }),
  ]);
  const model = claude(server);
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  await model.generate(
    ask(model, [
      { id: "u", role: "user", content: [{ type: "image", url: "https://example.com/a.png" }] },
      {
        id: "a",
        role: "assistant",
        content: [{ type: "tool_call", toolCallId: "c" }],
        toolCalls: [{ id: "c", name: look.name, arguments: "{}" }],
        finishReason: "tool_calls",
        provenance: { provider: "elsewhere", api: "x", model: "y" },
      },
      {
        id: "r",
        role: "tool",
        toolCallId: "c",
        toolName: look.name,
        content: [{ type: "image", data: pixel, mimeType: "image/png" }],
      },
    ]),
  );
  const text = JSON.stringify(server.requests[0]?.body);
  expect(text).toContain(`"image":{"format":"png","source":{"bytes":"${pixel}"}}`);
  expect(text).toContain("[image at https://example.com/a.png omitted");
});
