import { expect, test } from "vitest";
import { refusals } from "./index.ts";
import { askRefused, type Json, type RefusalBench, type RefusalCase } from "./refusal-cases.fixture.ts";

const weather = { type: "function", function: { name: "weather", parameters: { type: "object", properties: {} } } };
const user = { role: "user", content: "Weather?" };
const good = { model: "gpt-4.1", messages: [user], tools: [weather] };
const bench: RefusalBench = {
  path: "/v1/chat/completions",
  headers: { authorization: "Bearer test" },
  good,
  step: { toolCalls: [{ name: "weather" }] },
};

const calls = (id: string, name = "weather"): Json => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name, arguments: "{}" } }],
});
const result = (id: string, content: unknown = "cold"): Json => ({ role: "tool", tool_call_id: id, content });
const messages =
  (...list: readonly Json[]) =>
  (): Json => ({ ...good, messages: list });
const withTool = (tool: Json) => (): Json => ({
  ...good,
  tools: [{ type: "function", function: { ...weather.function, ...tool } }],
});
const long = "c".repeat(41);

const part = (content: Json) => messages({ role: "user", content: [content] });

const cases: readonly RefusalCase[] = [
  {
    id: "chat.image-type",
    says: "You uploaded an unsupported image",
    body: part({ type: "image_url", image_url: { url: "data:image/heic;base64,AAAA" } }),
  },
  {
    id: "chat.file-type",
    says: "unsupported MIME type 'text/markdown'",
    body: part({ type: "file", file: { file_data: "data:text/markdown;base64,IyBI", filename: "a.md" } }),
  },
  {
    id: "chat.file-type",
    says: "an invalid base64-encoded value",
    body: part({ type: "file", file: { file_data: "https://example.com/a.pdf", filename: "a.pdf" } }),
  },
  {
    id: "chat.audio-format",
    says: "Supported values are: 'wav' and 'mp3'",
    body: part({ type: "input_audio", input_audio: { data: "AAAA", format: "ogg" } }),
  },
  {
    id: "chat.name-invalid",
    says: "does not match pattern",
    body: messages({ ...user, name: "Ana Maria" }),
  },
  {
    id: "openai.key-missing",
    says: "You didn't provide an API key",
    status: 401,
    headers: { authorization: "Basic x" },
    body: () => good,
  },
  {
    id: "openai.key-invalid",
    says: "Incorrect API key provided: ****",
    status: 401,
    options: { keys: ["other"] },
    body: () => good,
  },
  { id: "openai.model-missing", says: "you must provide a model parameter", body: () => ({ ...good, model: "" }) },
  { id: "openai.model-unknown", says: "does not exist", status: 404, options: { models: ["gpt-5"] }, body: () => good },
  { id: "chat.messages-missing", says: "Invalid 'messages': empty array", body: messages() },
  { id: "chat.messages-missing", says: "Missing required parameter: 'messages'", body: () => ({ model: "gpt-4.1" }) },
  { id: "chat.role-unknown", says: "Invalid value: 'model'", body: messages({ role: "model", content: "x" }) },
  {
    id: "chat.content-null",
    says: "expected a string, got null",
    body: messages(user, { role: "assistant", content: null }),
  },
  {
    id: "chat.tool-calls-empty",
    says: "Invalid 'messages[1].tool_calls': empty array",
    body: messages(user, { role: "assistant", content: "x", tool_calls: [] }),
  },
  {
    id: "chat.call-id-too-long",
    says: "maximum length 40, but got a string with length 41",
    body: messages(user, calls(long), result(long)),
  },
  {
    id: "chat.call-name-invalid",
    says: "Invalid 'messages[1].tool_calls[0].function.name'",
    body: messages(user, calls("c", "a.b"), result("c")),
  },
  {
    id: "chat.tool-image",
    says: "Image URLs are only allowed for messages with role 'user'",
    body: messages(
      user,
      calls("c"),
      result("c", [{ type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } }]),
    ),
  },
  {
    id: "chat.tool-message-without-call",
    says: "must be a response to a preceeding message with 'tool_calls'",
    body: messages(user, result("c")),
  },
  {
    id: "chat.tool-message-without-call",
    says: "must be a response to a preceeding message with 'tool_calls'",
    body: messages(user, calls("c"), result("c"), user, result("c")),
  },
  {
    id: "chat.calls-without-tool-messages",
    says: "did not have response messages: c",
    body: messages(user, calls("c"), user, calls("d"), result("d")),
  },
  {
    id: "chat.parameter-unknown",
    says: "Unrecognized request argument supplied: input",
    body: () => ({ ...good, input: "x" }),
  },
  { id: "chat.tool-name-invalid", says: "Invalid 'tools[0].function.name'", body: withTool({ name: "a/b" }) },
  { id: "chat.tool-schema-invalid", says: "'additionalProperties' is required", body: withTool({ strict: true }) },
  {
    id: "chat.tool-schema-invalid",
    says: "object schema missing properties",
    body: withTool({ parameters: { type: "object" } }),
  },
  {
    id: "chat.tool-schema-invalid",
    says: "not have 'oneOf'/'anyOf'",
    body: withTool({ parameters: { type: "object", properties: {}, anyOf: [{ required: ["a"] }] } }),
  },
  {
    id: "chat.tool-schema-invalid",
    says: "In context=('properties', 'a'), array schema missing items.",
    body: withTool({ parameters: { type: "object", properties: { a: { type: ["string", "array"] } } } }),
  },
  {
    id: "chat.tool-schema-invalid",
    says: "is not of type 'object', 'boolean'",
    body: withTool({ parameters: { type: "object", properties: { type: "object" } } }),
  },
  {
    id: "chat.output-schema-invalid",
    says: "Invalid schema for response_format 'out'",
    body: () => ({
      ...good,
      response_format: { type: "json_schema", json_schema: { name: "out", schema: { type: "array" } } },
    }),
  },
  {
    id: "chat.tool-settings-without-tools",
    says: "'parallel_tool_calls' is only allowed when 'tools'",
    body: () => ({ model: "gpt-4.1", messages: [user], parallel_tool_calls: false }),
  },
  {
    id: "chat.max-tokens-on-reasoning-model",
    says: "Use 'max_completion_tokens' instead.",
    body: () => ({ ...good, model: "o3", max_tokens: 100 }),
  },
  {
    id: "chat.sampling-on-reasoning-model",
    says: "'temperature' does not support 0.2",
    body: () => ({ ...good, model: "gpt-5", temperature: 0.2 }),
  },
  {
    id: "chat.sampling-on-reasoning-model",
    says: "'top_p' is not supported",
    body: () => ({ ...good, model: "gpt-5", reasoning_effort: "none", top_p: 0.2 }),
  },
  {
    id: "chat.reasoning-on-other-model",
    says: "Unrecognized request argument supplied: reasoning_effort",
    body: () => ({ ...good, reasoning_effort: "low" }),
  },
  {
    id: "chat.stream-options-without-stream",
    says: "only allowed when 'stream' is enabled",
    body: () => ({ ...good, stream_options: { include_usage: true } }),
  },
  {
    id: "chat.json-word-missing",
    says: "must contain the word 'json'",
    body: () => ({ ...good, response_format: { type: "json_object" } }),
  },
];

test.each(cases)("refuses as OpenAI does: $id ($says)", async (refusal) => {
  const refused = await askRefused(bench, refusal);
  expect(refused.request?.refusedBy).toBe(refusal.id);
  expect(refused.message).toContain(refusal.says);
  expect(refused.status).toBe(refusal.status ?? 400);
});

test("every refusal of the wire has a case here", () => {
  const ids = refusals
    .filter(({ wires, servers }) => wires.includes("openai-chat") && servers?.includes("openai") !== false)
    .map((refusal) => refusal.id);
  expect(ids.filter((id) => !cases.some((known) => known.id === id))).toEqual([]);
});
