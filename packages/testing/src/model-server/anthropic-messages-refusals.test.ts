import { expect, test } from "vitest";
import { refusals } from "./index.ts";
import { askRefused, type Json, type RefusalBench, type RefusalCase } from "./refusal-cases.fixture.ts";

const weather = { name: "weather", input_schema: { type: "object", properties: {} } };
const user = { role: "user", content: "Weather?" };
const good = { model: "claude-sonnet-4-5", max_tokens: 4000, messages: [user], tools: [weather] };
const bench: RefusalBench = {
  path: "/v1/messages",
  headers: { "x-api-key": "test", "anthropic-version": "2023-06-01" },
  good,
  step: {
    parts: [
      { type: "reasoning", text: "One." },
      { type: "reasoning", text: "Two." },
      { type: "text", text: "Look." },
      { type: "tool_call", name: "weather" },
    ],
  },
};

const content = (first: Json): readonly Json[] => first["content"] as readonly Json[];
const use = (id: string): Json => ({ type: "tool_use", id, name: "weather", input: {} });
const result = (id: unknown, extra: Json = {}): Json => ({
  type: "tool_result",
  tool_use_id: id,
  content: "cold",
  ...extra,
});
const assistant = (...blocks: readonly unknown[]): Json => ({ role: "assistant", content: blocks });
const results = (...blocks: readonly unknown[]): Json => ({ role: "user", content: blocks });
const messages =
  (...list: readonly Json[]) =>
  (): Json => ({ ...good, messages: list });
const replay =
  (change: (blocks: readonly Json[]) => readonly unknown[]) =>
  (first: Json): Json => ({
    ...good,
    messages: [user, assistant(...change(content(first))), results(result(content(first)[3]?.["id"]))],
  });
const cached = { type: "text", text: "x", cache_control: { type: "ephemeral" } };
const enabled = { type: "enabled", budget_tokens: 1024 };

/** A user message with a file. */
const file = (type: string, media: string, data: string) =>
  messages({ role: "user", content: [{ type, source: { type: "base64", media_type: media, data } }] });

const cases: readonly RefusalCase[] = [
  {
    id: "anthropic.media-type",
    says: "Input should be 'image/jpeg'",
    body: file("image", "image/svg+xml", "PHN2Zz4="),
  },
  { id: "anthropic.media-type", says: "'application/pdf'", body: file("document", "application/zip", "UEsD") },
  {
    id: "anthropic.media-type-differs",
    says: "appears to be a image/jpeg image",
    body: file("image", "image/png", "/9j/4AAQ"),
  },
  { id: "anthropic.media-empty", says: "image cannot be empty", body: file("image", "image/png", "") },
  {
    id: "anthropic.key-missing",
    says: "x-api-key header is required",
    status: 401,
    headers: { "x-api-key": "" },
    body: () => good,
  },
  {
    id: "anthropic.key-invalid",
    says: "invalid x-api-key",
    status: 401,
    options: { keys: ["other"] },
    body: () => good,
  },
  {
    id: "anthropic.text-ill-formed",
    says: "not valid JSON: no low surrogate in string",
    body: () => ({
      ...good,
      messages: [user, assistant({ ...use("toolu_1"), input: { mark: "\ud83d" } }), results(result("toolu_1"))],
    }),
  },
  {
    id: "anthropic.thinking-last",
    says: "The final block in an assistant message cannot be `thinking`",
    body: replay((blocks) => [blocks[2], blocks[0]]),
  },
  {
    id: "anthropic.tool-schema-not-json-schema",
    says: "JSON schema is invalid. It must match JSON Schema draft 2020-12",
    body: () => ({
      ...good,
      tools: [{ name: "weather", input_schema: { type: "object", properties: { at: { type: "any" } } } }],
    }),
  },
  {
    id: "anthropic.tool-argument-name-invalid",
    says: "Property keys should match pattern",
    body: () => ({
      ...good,
      tools: [{ name: "weather", input_schema: { type: "object", properties: { "the place": { type: "string" } } } }],
    }),
  },
  {
    id: "anthropic.version-missing",
    says: "anthropic-version: header is required",
    headers: { "anthropic-version": "" },
    body: () => good,
  },
  {
    id: "anthropic.field-missing",
    says: "max_tokens: Field required",
    body: () => ({ ...good, max_tokens: undefined }),
  },
  {
    id: "anthropic.model-unknown",
    says: "model: claude-sonnet-4-5",
    status: 404,
    options: { models: [] },
    body: () => good,
  },
  {
    id: "anthropic.parameter-unknown",
    says: "stop: Extra inputs are not permitted",
    body: () => ({ ...good, stop: [] }),
  },
  { id: "anthropic.messages-empty", says: "at least one message is required", body: messages() },
  { id: "anthropic.role-unknown", says: 'Unexpected role "tool"', body: messages({ role: "tool", content: "x" }) },
  {
    id: "anthropic.role-unknown",
    says: "role 'system' is not supported on this model",
    body: messages(user, { role: "system", content: "x" }),
  },
  {
    id: "anthropic.system-message-misplaced",
    says: 'messages.2: a "system" message must come immediately after',
    body: () => ({
      ...good,
      model: "claude-opus-4-8",
      messages: [user, assistant({ type: "text", text: "x" }), { role: "system", content: "x" }, user],
    }),
  },
  {
    id: "anthropic.first-message-not-user",
    says: 'first message must use the "user" role',
    body: messages(assistant({ type: "text", text: "x" }), user),
  },
  {
    id: "anthropic.content-empty",
    says: "messages.1: all messages must have non-empty content",
    body: messages(user, { role: "assistant", content: "" }, user),
  },
  {
    id: "anthropic.text-empty",
    says: "messages: text content blocks must be non-empty",
    body: messages(results({ type: "text", text: "" })),
  },
  {
    id: "anthropic.text-empty",
    says: "system: text content blocks must contain non-whitespace text",
    body: () => ({ ...good, system: [{ type: "text", text: " " }] }),
  },
  {
    id: "anthropic.tool-name-invalid",
    says: "tools.0.custom.name: String should match pattern",
    body: () => ({ ...good, tools: [{ ...weather, name: "a.b" }] }),
  },
  {
    id: "anthropic.tool-name-invalid",
    says: "Tool names must be unique",
    body: () => ({ ...good, tools: [weather, weather] }),
  },
  {
    id: "anthropic.tool-schema-invalid",
    says: "input_schema.type: Field required",
    body: () => ({ ...good, tools: [{ name: "a", input_schema: {} }] }),
  },
  {
    id: "anthropic.tool-schema-invalid",
    says: "does not support oneOf, allOf, or anyOf",
    body: () => ({ ...good, tools: [{ name: "a", input_schema: { type: "object", anyOf: [] } }] }),
  },
  {
    id: "anthropic.strict-schema-invalid",
    says: "'additionalProperties' must be explicitly set to false",
    body: () => ({
      ...good,
      output_config: {
        format: {
          type: "json_schema",
          schema: { type: "object", properties: { a: { type: "object" } }, additionalProperties: false },
        },
      },
    }),
  },
  {
    id: "anthropic.tool-choice-without-tools",
    says: "may only be specified while providing `tools`",
    body: () => ({ ...good, tools: undefined, tool_choice: { type: "any" } }),
  },
  {
    id: "anthropic.cache-breakpoints-too-many",
    says: "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    body: messages(results(cached, cached, cached, cached, cached)),
  },
  {
    id: "anthropic.cache-breakpoint-order",
    says: "must not come after a ttl='5m'",
    body: messages(results(cached, { ...cached, cache_control: { type: "ephemeral", ttl: "1h" } })),
  },
  {
    id: "anthropic.cache-breakpoint-on-thinking",
    says: "messages.1.content.0.thinking.cache_control: Extra inputs",
    body: replay((blocks) => [{ ...blocks[0], cache_control: { type: "ephemeral" } }, ...blocks.slice(1)]),
  },
  {
    id: "anthropic.thinking-type-unsupported",
    says: '"thinking.type.enabled" is not supported',
    body: () => ({ ...good, model: "claude-opus-4-7", thinking: enabled }),
  },
  {
    id: "anthropic.thinking-budget-too-low",
    says: "greater than or equal to 1024",
    body: () => ({ ...good, thinking: { ...enabled, budget_tokens: 1023 } }),
  },
  {
    id: "anthropic.thinking-budget-too-high",
    says: "`max_tokens` must be greater than `thinking.budget_tokens`",
    body: () => ({ ...good, thinking: { ...enabled, budget_tokens: 4000 } }),
  },
  {
    id: "anthropic.thinking-with-forced-tool",
    says: "Thinking may not be enabled when tool_choice forces tool use.",
    body: () => ({ ...good, thinking: enabled, tool_choice: { type: "tool", name: "weather" } }),
  },
  {
    id: "anthropic.sampling-unsupported",
    says: "`temperature` may only be set to 1 when thinking is enabled",
    body: () => ({ ...good, thinking: enabled, temperature: 0.5 }),
  },
  {
    id: "anthropic.sampling-unsupported",
    says: "`top_k` is deprecated for this model.",
    body: () => ({ ...good, model: "claude-opus-5", top_k: 5 }),
  },
  {
    id: "anthropic.thinking-signature-invalid",
    says: "messages.1.content.0: Invalid `signature` in `thinking` block",
    body: replay((blocks) => [{ ...blocks[0], signature: "EqoBchanged" }, ...blocks.slice(1)]),
  },
  {
    id: "anthropic.thinking-signature-invalid",
    says: "thinking.signature: Field required",
    body: replay((blocks) => [{ ...blocks[0], signature: undefined }, ...blocks.slice(1)]),
  },
  {
    id: "anthropic.thinking-modified",
    says: "cannot be modified",
    body: replay((blocks) => [{ ...blocks[0], thinking: "Won." }, ...blocks.slice(1)]),
  },
  { id: "anthropic.thinking-modified", says: "cannot be modified", body: replay((blocks) => blocks.slice(1)) },
  {
    id: "anthropic.thinking-modified",
    says: "cannot be modified",
    body: replay((blocks) => [blocks[1], blocks[0], ...blocks.slice(2)]),
  },
  {
    id: "anthropic.thinking-missing",
    says: "Expected `thinking` or `redacted_thinking`, but found `tool_use`",
    body: (first) => ({ ...replay((blocks) => blocks.slice(3))(first), thinking: enabled }),
  },
  {
    id: "anthropic.call-id-invalid",
    says: "messages.1.content.0.tool_use.id: String should match pattern",
    body: messages(user, assistant(use("a.b")), results(result("a.b"))),
  },
  {
    id: "anthropic.call-id-invalid",
    says: "at most 64 characters",
    body: messages(user, assistant(use("a".repeat(65))), results(result("a".repeat(65)))),
  },
  {
    id: "anthropic.call-id-duplicate",
    says: "`tool_use` ids must be unique",
    body: messages(user, assistant(use("a"), use("a")), results(result("a"))),
  },
  {
    id: "anthropic.result-without-call",
    says: "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a.",
    body: messages(results(result("a"))),
  },
  {
    id: "anthropic.call-without-result",
    says: "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: b.",
    body: messages(user, assistant(use("a"), use("b")), results(result("a"))),
  },
  {
    id: "anthropic.call-without-result",
    says: "`tool_use` ids were found without `tool_result` blocks",
    body: messages(user, assistant(use("a")), results({ type: "text", text: "first" }, result("a"))),
  },
  {
    id: "anthropic.result-duplicate",
    says: "each tool_use must have a single result",
    body: messages(user, assistant(use("a")), results(result("a"), result("a"))),
  },
  {
    id: "anthropic.error-result-image",
    says: 'all content must be type "text" if `is_error` is true',
    body: messages(
      user,
      assistant(use("a")),
      results(result("a", { is_error: true, content: [{ type: "image", source: {} }] })),
    ),
  },
  {
    id: "anthropic.final-trailing-whitespace",
    says: "cannot end with trailing whitespace",
    body: messages(user, { role: "assistant", content: "So " }),
  },
  {
    id: "anthropic.prefill-unsupported",
    says: "does not support assistant message prefill",
    body: () => ({ ...good, model: "claude-opus-4-6", messages: [user, { role: "assistant", content: "So" }] }),
  },
  {
    id: "anthropic.sampling-removed",
    says: "top_p: Extra inputs are not permitted",
    headers: { "anthropic-version": "2026-10-21" },
    body: () => ({ ...good, top_p: 0.5 }),
  },
  {
    id: "anthropic.thinking-cannot-be-disabled",
    says: '"thinking.type.disabled" is not supported',
    body: () => ({ ...good, model: "claude-sonnet-5-5", thinking: { type: "disabled" } }),
  },
  {
    id: "anthropic.forced-tool-unsupported",
    says: "forced tool use is not supported",
    body: () => ({ ...good, model: "claude-opus-5-5", tool_choice: { type: "any" } }),
  },
  {
    id: "anthropic.strict-tools-too-many",
    says: "The maximum number of strict tools supported is 20",
    body: () => ({
      ...good,
      tools: Array.from({ length: 21 }, (_, index) => ({
        name: `t${index}`,
        strict: true,
        input_schema: { type: "object", properties: {}, additionalProperties: false },
      })),
    }),
  },
];

test("an answer that paused for the vendor's tools may be the last message", async () => {
  const paused = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} };
  const body = () => ({ ...good, model: "claude-opus-5", messages: [user, assistant(paused)] });
  const { status } = await askRefused(bench, { id: "", says: "", body });
  expect(status).toBe(200);
});

test.each(cases)("refuses as Anthropic does: $id ($says)", async (refusal) => {
  const refused = await askRefused(bench, refusal);
  expect(refused.request?.refusedBy).toBe(refusal.id);
  expect(refused.message).toContain(refusal.says);
  expect(refused.status).toBe(refusal.status ?? 400);
});

test("thinking that is stripped whole is accepted without a budget", async () => {
  const refused = await askRefused(bench, { id: "", says: "", body: replay((blocks) => blocks.slice(2)) });
  expect(refused.status).toBe(200);
});

test("every refusal of the wire has a case here", () => {
  const ids = refusals.filter((refusal) => refusal.wires.includes("anthropic-messages")).map((refusal) => refusal.id);
  expect(ids.filter((id) => !cases.some((known) => known.id === id))).toEqual([]);
});
