import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import type { AssistantPart, ContentPart, Message, ModelProvider, ToolCall } from "@bailiwick/core";
import { anthropic } from "@bailiwick/providers-anthropic";
import { openai } from "@bailiwick/providers-openai";
import { modelServer } from "@bailiwick/testing/model-server";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { look } from "./ask.fixture.ts";
import { google } from "./index.ts";

const words = fc.constantFrom("", " ", "Hello", "Grüße 👋", "half \ud83d", "\n", "{}", "__proto__", "x".repeat(300));
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** Ids as vendors make them, some twice, some that no vendor takes. */
const callIds = fc.constantFrom("call_1", "call_2", "toolu_01", "", "ü/..:", "c".repeat(90), "__proto__", "a b");
const callNames = fc.constantFrom("look", "gone.tool/v2", "", "n".repeat(80), "ünï");

const userPart: fc.Arbitrary<ContentPart> = fc.oneof(
  words.map((text) => ({ type: "text" as const, text })),
  fc.constant({ type: "image" as const, data: pixel, mimeType: "image/png" as const }),
  fc.constant({ type: "image" as const, url: "https://example.com/a.png" }),
  fc.constant({ type: "file" as const, data: "aGk=", mimeType: "text/plain", filename: "a.txt" }),
  fc.constant({ type: "audio" as const, data: "AAAA", mimeType: "audio/wav" as const }),
);
const content = fc.oneof(words, fc.array(userPart, { maxLength: 3 }));

const assistantPart: fc.Arbitrary<AssistantPart> = fc.oneof(
  words.map((text) => ({ type: "text" as const, text })),
  words.map((text) => ({ type: "reasoning" as const, text })),
  words.map((text) => ({ type: "refusal" as const, text })),
  callIds.map((toolCallId) => ({ type: "tool_call" as const, toolCallId })),
  fc.constant({ type: "source" as const, url: "https://example.com", title: "An example" }),
  fc.constant({ type: "image" as const, data: pixel, mimeType: "image/png" as const }),
  fc.record({
    type: fc.constant("hosted_tool" as const),
    toolCallId: callIds,
    toolName: fc.constant("web_search"),
    input: fc.constant({ query: "x" }),
    output: fc.constantFrom(undefined, "found"),
  }),
);
const call: fc.Arbitrary<ToolCall> = fc.record({
  id: callIds,
  name: callNames,
  arguments: fc.constantFrom("", "{}", '{"id":"1"}', '{"id": ', "[1]", "null", '"text"', '{"a":"\\ud83d"}'),
});
const provenances = fc.constantFrom(
  { provider: "openai", api: "responses", model: "gpt-5.5" },
  { provider: "openai", api: "chat", model: "gpt-4.1" },
  { provider: "anthropic", api: "messages", model: "claude-opus-5" },
  { provider: "google", api: "generate", model: "gemini-3-pro" },
  { provider: "elsewhere", api: "other", model: "unknown" },
);

const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ id: fc.uuid(), role: fc.constant("system" as const), content: words }),
  fc.record({ id: fc.uuid(), role: fc.constant("user" as const), content }),
  fc.record({
    id: fc.uuid(),
    role: fc.constant("tool" as const),
    toolCallId: callIds,
    toolName: callNames,
    content,
    isError: fc.boolean(),
  }),
  fc.record({
    id: fc.uuid(),
    role: fc.constant("assistant" as const),
    content: fc.array(assistantPart, { maxLength: 4 }),
    toolCalls: fc.array(call, { maxLength: 3 }),
    finishReason: fc.constantFrom("stop" as const, "tool_calls" as const, "length" as const, "error" as const),
    provenance: provenances,
    partial: fc.constantFrom(undefined, true),
  }),
);

type Made = (at: (vendor: "openai" | "anthropic" | "google") => string) => ModelProvider;
const apiKey = "test";
const targets: Readonly<Record<string, Made>> = {
  "Responses, reasoning": (at) => openai("gpt-5.5", { apiKey, baseURL: at("openai") }),
  Responses: (at) => openai("gpt-4.1", { apiKey, baseURL: at("openai") }),
  Chat: (at) => openai("gpt-4.1", { api: "chat", apiKey, baseURL: at("openai") }),
  "Claude 5": (at) => anthropic("claude-opus-5", { apiKey, baseURL: at("anthropic") }),
  "Claude 4.5": (at) => anthropic("claude-sonnet-4-5", { apiKey, baseURL: at("anthropic") }),
  "Gemini 3": (at) => google("gemini-3-pro", { apiKey, baseURL: at("google") }),
  "Gemini 2.5": (at) => google("gemini-2.5-flash", { apiKey, baseURL: at("google") }),
};

for (const [name, make] of Object.entries(targets)) {
  test(`[providers.proof.any-history] whatever stands in a history, it compiles to a request that the vendor takes (${name})`, async () => {
    await using server = await modelServer(() => "ok");
    const model = make((vendor) => server.baseURL(vendor));
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 8 }), async (messages) => {
        const history = compileHistory(messages, historyTarget(model));
        await model.generate({ messages: history.messages, tools: [look] });
      }),
      { numRuns: 150 },
    );
    expect(server.requests.every(({ refusedBy }) => refusedBy === undefined)).toBe(true);
  });
}
