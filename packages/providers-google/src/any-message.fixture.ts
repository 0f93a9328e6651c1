import type {
  AssistantPart,
  ContentPart,
  JsonValue,
  Message,
  ModelProvider,
  Provenance,
  ToolCall,
} from "@bailiwick/core";
import * as fc from "fast-check";

const words = fc.constantFrom("", " ", "Hello", "Grüße 👋", "half \ud83d", "\n", "{}", "__proto__", "x".repeat(300));
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** Ids as vendors make them: some twice, some that no vendor accepts. */
const callIds = fc.constantFrom("call_1", "call_2", "toolu_01", "", "ü/..:", "c".repeat(90), "__proto__", "a b");
const callNames = fc.constantFrom("look", "gone.tool/v2", "", "n".repeat(80), "ünï");

/** Media types that some vendor refuses. */
const mediaTypes = fc.constantFrom(
  "application/pdf",
  "application/zip",
  "video/mp4",
  "text/csv",
  "application/octet-stream",
);
const imageTypes = fc.constantFrom("image/svg+xml", "image/heic", "image/bmp", "image/tiff", "image/gif", "image/webp");

const userPart: fc.Arbitrary<ContentPart> = fc.oneof(
  words.map((text) => ({ type: "text" as const, text })),
  fc.constant({ type: "image" as const, data: pixel, mimeType: "image/png" as const }),
  fc.constant({ type: "image" as const, url: "https://example.com/a.png" }),
  fc.constant({ type: "image" as const, data: "/9j/4AAQ", mimeType: "image/jpg" as "image/jpeg" }),
  fc.constant({ type: "image" as const, url: "data:text/plain,hello" }),
  fc.constant({ type: "image" as const, url: "data:image/jpg;base64,/9j/4AAQ" }),
  fc.constant({ type: "file" as const, data: "AAAA", mimeType: "", filename: "" }),
  fc.constant({ type: "file" as const, data: "JVBERi0x", mimeType: "application/pdf; x=1", filename: "" }),
  fc.constant({ type: "file" as const, data: "aGk=", mimeType: "text/plain", filename: "a.txt" }),
  fc.constant({ type: "audio" as const, data: "AAAA", mimeType: "audio/wav" as const }),
  mediaTypes.map((mimeType) => ({ type: "file" as const, data: "AAAA", mimeType, filename: "some thing.bin" })),
  imageTypes.map((mimeType) => ({ type: "image" as const, data: "AAAA", mimeType: mimeType as "image/png" })),
  fc.constant({ type: "file" as const, data: "", mimeType: "application/pdf", filename: "empty.pdf" }),
);
const content = fc.oneof(words, fc.array(userPart, { maxLength: 3 }));

/** State of earlier answers, also as another version or vendor may have written it. */
const states = fc.constantFrom<JsonValue>(
  {},
  { signature: "c2ln" },
  { redacted: "ZGF0YQ==" },
  { thoughtSignature: "c2ln" },
  { item: { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "ZW5j" } },
  { item: { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [] } },
  { itemId: "msg_1" },
  "text",
  ["list"],
);

const textStates = fc.oneof(states, fc.constantFrom<JsonValue>({ id: "msg_1" }, { id: "msg_1", after: "rs_1" }));
const reasoningStates = fc.oneof(
  states,
  fc.constantFrom<JsonValue>(
    { id: "rs_1", encrypted: "ZW5j", summary: [], follower: "msg_1" },
    { field: "reasoning_content" },
    { details: [{ type: "reasoning.text", text: "so" }] },
  ),
);

const assistantPart: fc.Arbitrary<AssistantPart> = fc.oneof(
  words.map((text) => ({ type: "text" as const, text })),
  words.map((text) => ({ type: "reasoning" as const, text })),
  fc
    .tuple(words, reasoningStates)
    .map(([text, providerState]) => ({ type: "reasoning" as const, text, providerState })),
  fc.tuple(words, textStates).map(([text, providerState]) => ({ type: "text" as const, text, providerState })),
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
/** Placeholder for the model that gets the history; see {@link ownedBy}. */
const ofTarget: Provenance = { provider: "", api: "", model: "" };

/**
 * The messages, with the answers of the target marked as its own.
 *
 * @param messages - From {@link anyMessage}.
 * @param target - The model that gets them.
 */
export function ownedBy(messages: readonly Message[], { provider, api, modelId }: ModelProvider): readonly Message[] {
  return messages.map((message) =>
    message.role === "assistant" && message.provenance === ofTarget
      ? { ...message, provenance: { provider, api, model: modelId } }
      : message,
  );
}

const provenances = fc.constantFrom(
  { provider: "openai", api: "responses", model: "gpt-5.5" },
  { provider: "openai", api: "chat", model: "gpt-4.1" },
  { provider: "anthropic", api: "messages", model: "claude-opus-5" },
  { provider: "google", api: "generate", model: "gemini-3-pro" },
  { provider: "elsewhere", api: "other", model: "unknown" },
  ofTarget,
  ofTarget,
);

const names = fc.constantFrom(undefined, "ana", "Ana B.", "", "n".repeat(80), "ünï");

/** Any message, even one that no run could produce. */
export const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ id: fc.uuid(), role: fc.constant("system" as const), content: words }),
  fc.record({ id: fc.uuid(), role: fc.constant("user" as const), content, name: names }),
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
