import { expect, test } from "vitest";
import { modelServer, refusals, type ChatServer } from "./index.ts";
import { askRefused, type Json, type RefusalBench, type RefusalCase } from "./refusal-cases.fixture.ts";

const weather = { type: "function", function: { name: "weather", parameters: { type: "object", properties: {} } } };
const user = { role: "user", content: "Weather?" };
const answer = { role: "assistant", content: "It rains." };
const system = { role: "system", content: "Be brief." };
const good = { model: "some-model", messages: [user] };
const bench: RefusalBench = {
  path: "/v1/chat/completions",
  headers: { authorization: "Bearer test" },
  good,
  step: { text: "It rains." },
};
const messages =
  (...list: readonly Json[]) =>
  (): Json => ({ ...good, messages: list });
const more = (fields: Json) => (): Json => ({ ...good, ...fields });
const calls = (id: string, args = "{}", fields: Json = {}): Json => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name: "weather", arguments: args } }],
  ...fields,
});
const result = (id: string): Json => ({ role: "tool", tool_call_id: id, content: "cold" });
const image = (url: string) => messages({ role: "user", content: [{ type: "image_url", image_url: { url } }] });
const forced = { tools: [weather], tool_choice: "required" };
const named = { tools: [weather], tool_choice: { type: "function", function: { name: "weather" } } };
const schema = { response_format: { type: "json_schema", json_schema: { name: "a", schema: { type: "object" } } } };
const offered = (properties: Json) =>
  more({
    tools: [{ type: "function", function: { name: "weather", parameters: { type: "object", properties } } }],
  });
const kimi = (properties: Json) => (): Json => ({ ...offered(properties)(), model: "kimi-k3" });
const webp = "data:image/webp;base64,UklGRg==";
const gif = "data:image/gif;base64,R0lGODlh";

const cases: readonly (Pick<RefusalCase, "id" | "says" | "status" | "body"> & { readonly server: ChatServer })[] = [
  {
    server: "mistral",
    id: "mistral.user-after-tool",
    says: "Unexpected role 'user' after role 'tool'",
    body: messages(user, calls("abcdefghi"), result("abcdefghi"), user),
  },
  {
    server: "mistral",
    id: "mistral.system-after-answer",
    says: "Unexpected role 'system' after role 'assistant'",
    body: messages(user, answer, system, user),
  },
  {
    server: "mistral",
    id: "mistral.answer-last",
    says: "Expected last role User or Tool",
    body: messages(user, answer),
  },
  {
    server: "mistral",
    id: "mistral.call-id-invalid",
    says: "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.",
    body: messages(user, calls("call_1"), result("call_1")),
  },
  ...(["alibaba", "vllm", "sglang", "lmstudio", "llamacpp"] as const).map((server) => ({
    server,
    id: "qwen.system-not-first",
    says: "System message must be at the beginning.",
    body: messages(system, system, user),
  })),
  {
    server: "minimax",
    id: "minimax.system-messages",
    says: "invalid chat setting (2013)",
    body: messages(user, answer, system, user),
  },
  {
    server: "perplexity",
    id: "perplexity.roles-not-alternating",
    says: "user and assistant roles should be alternating",
    body: messages(system, user, user),
  },
  {
    server: "perplexity",
    id: "perplexity.roles-not-alternating",
    says: "user and assistant roles should be alternating",
    body: messages(user, answer),
  },
  {
    server: "vllm",
    id: "servers.user-message-missing",
    says: "No user query found in messages.",
    body: messages(system),
  },
  {
    server: "groq",
    id: "servers.arguments-not-object",
    says: "Failed to parse tool call arguments",
    body: messages(user, calls("a", '["Oslo"]'), result("a")),
  },
  {
    server: "together",
    id: "servers.refusal-unknown",
    says: "Extra inputs are not permitted",
    status: 422,
    body: messages(user, { ...answer, refusal: "No." }, user),
  },
  {
    server: "openrouter",
    id: "servers.answer-empty",
    says: "must have either content or tool_calls",
    body: messages(user, { role: "assistant", content: "" }, user),
  },
  ...(["deepseek", "moonshot"] as const).map((server) => ({
    server,
    id: "servers.reasoning-missing",
    says: "Missing `reasoning_content` field in the assistant message at message index 1",
    body: messages(user, calls("a"), result("a")),
  })),
  ...(["deepseek", "minimax", "cerebras"] as const).map((server) => ({
    server,
    id: "servers.image-unsupported",
    says: "unknown variant `image_url`",
    body: image("data:image/png;base64,iVBORw0KGgo="),
  })),
  ...(["ollama", "lmstudio", "moonshot"] as const).map((server) => ({
    server,
    id: "servers.image-address",
    says: "unsupported image url: https://example.com/a.png",
    body: image("https://example.com/a.png"),
  })),
  { server: "xai", id: "xai.image-type", says: "the image must be one of", body: image(webp) },
  { server: "lmstudio", id: "lmstudio.image-type", says: "the image must be one of", body: image(webp) },
  { server: "gemini", id: "gemini.image-type", says: "the image must be one of", body: image(gif) },
  {
    server: "perplexity",
    id: "perplexity.tools-unsupported",
    says: "invalid request",
    body: more({ tools: [weather] }),
  },
  ...(["deepseek", "moonshot"] as const).map((server) => ({
    server,
    id: "servers.forced-call-with-thinking",
    says: "incompatible with thinking enabled",
    body: more(forced),
  })),
  {
    server: "alibaba",
    id: "alibaba.forced-call-with-thinking",
    says: "does not support being set to required or object in thinking mode",
    body: more(named),
  },
  { server: "zai", id: "zai.forced-call", says: "only `auto` is supported", body: more(forced) },
  { server: "deepseek", id: "deepseek.output-schema", says: "response_format type is unavailable", body: more(schema) },
  {
    server: "groq",
    id: "groq.output-schema",
    says: "does not support response format `json_schema`",
    body: more({ ...schema, model: "llama-3.3-70b-versatile" }),
  },
  {
    server: "groq",
    id: "groq.effort",
    says: "must be one of `low`, `medium`, `high`",
    body: more({ model: "openai/gpt-oss-120b", reasoning_effort: "none" }),
  },
  {
    server: "groq",
    id: "groq.effort-qwen",
    says: "must be one of `none`, `default`",
    body: more({ model: "qwen/qwen3-32b", reasoning_effort: "high" }),
  },
  {
    server: "groq",
    id: "groq.effort-unsupported",
    says: "does not support parameter reasoningEffort",
    body: more({ model: "llama-3.3-70b-versatile", reasoning_effort: "low" }),
  },
  {
    server: "cerebras",
    id: "cerebras.effort",
    says: "must be one of `low`, `medium`, `high`",
    body: more({ model: "gpt-oss-120b", reasoning_effort: "minimal" }),
  },
  {
    server: "xai",
    id: "xai.effort-unsupported",
    says: "does not support parameter reasoningEffort",
    body: more({ model: "grok-4-1-fast", reasoning_effort: "low" }),
  },
  ...(["moonshot", "openrouter"] as const).map((server) => ({
    server,
    id: "moonshot.tool-schema",
    says: "type should be defined in anyOf items instead of the parent schema",
    body: kimi({ a: { type: "string", anyOf: [{ type: "string" }] } }),
  })),
  { server: "moonshot", id: "moonshot.tool-schema", says: "type is not defined", body: kimi({ a: {} }) },
  {
    server: "moonshot",
    id: "moonshot.tool-schema",
    says: "conflicting keywords found after $ref expansion: description",
    body: kimi({ a: { $ref: "#/$defs/A", description: "An A." } }),
  },
  {
    server: "moonshot",
    id: "moonshot.tool-schema",
    says: "references must start with #/$defs/",
    body: kimi({ a: { $ref: "#/definitions/A" } }),
  },
  {
    server: "moonshot",
    id: "moonshot.tool-name",
    says: "must start with a letter",
    body: more({ model: "kimi-k3", tools: [{ type: "function", function: { ...weather.function, name: "21st" } }] }),
  },
  {
    server: "groq",
    id: "groq.tool-schema",
    says: "'required' present but 'properties' is missing",
    body: offered({ a: { anyOf: [{ required: ["b"] }] } }),
  },
  ...(["llamacpp", "lmstudio"] as const).map((server) => ({
    server,
    id: "servers.tool-grammar",
    says: "Pattern must start with '^' and end with '$'",
    body: offered({ a: { type: "string", pattern: "\\S" } }),
  })),
  {
    server: "llamacpp",
    id: "servers.tool-grammar",
    says: "failed to parse grammar",
    body: offered({ a: { type: "array", items: { type: "string", pattern: "^a$" } } }),
  },
  {
    server: "llamacpp",
    id: "servers.tool-grammar",
    says: "failed to parse grammar",
    body: offered({ a: { type: "string", maxLength: 10_000 } }),
  },
  {
    server: "minimax",
    id: "minimax.thinking",
    says: 'invalid thinking.type: "enabled"',
    body: more({ thinking: { type: "enabled" } }),
  },
  {
    server: "minimax",
    id: "minimax.parameters-missing",
    says: "function parameters is empty",
    body: more({ tools: [{ type: "function", function: { name: "weather" } }] }),
  },
  ...(["lmstudio", "llamacpp"] as const).map((server) => ({
    server,
    id: "servers.named-tool-choice",
    says: "Invalid tool_choice type: 'object'",
    body: more(named),
  })),
];

test.each(cases)(
  "refuses as $server does: $id [providers.openai-chat.compat.refused]",
  async ({ server, ...refusal }) => {
    const refused = await askRefused(bench, { ...refusal, options: { server } });
    expect(refused.request?.refusedBy).toBe(refusal.id);
    expect(refused.message).toContain(refusal.says);
    expect(refused.status).toBe(refusal.status ?? 400);
  },
);

test("each refusal of a named server has a case for each of its servers", () => {
  const known = new Set(cases.map(({ id, server }) => `${id} ${server}`));
  for (const { id, servers } of refusals) {
    // Rules that all servers except OpenAI share are tested on one of them.
    if (servers === undefined || servers.includes("openai")) continue;
    const tried = servers.filter((server) => known.has(`${id} ${server}`));
    expect([id, tried]).toEqual([id, servers.length > 10 ? [expect.any(String)] : servers]);
  }
});

test("a server accepts requests that only other servers refuse, and OpenAI's own rules do not apply to it", async () => {
  const ask = async (server: ChatServer | undefined, body: Json): Promise<string | undefined> => {
    await using started = await modelServer(() => "ok", { server });
    await fetch(`${started.baseURL("openai")}/chat/completions`, {
      method: "POST",
      headers: { authorization: "Bearer test", "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return started.requests[0]?.refusedBy;
  };
  const late = messages(user, answer, system, user)();
  expect(await ask(undefined, late)).toBeUndefined();
  expect(await ask("groq", late)).toBeUndefined();
  const thinks = { ...good, thinking: { type: "disabled" }, ...forced };
  expect(await ask("deepseek", thinks)).toBeUndefined();
  expect(await ask("openai", thinks)).toBe("chat.parameter-unknown");
});

test("a server that does not exist is refused with the names that do", async () => {
  await expect(modelServer(() => "ok", { server: "nowhere" as "groq" })).rejects.toThrow(
    /"server" is "nowhere".*mistral/u,
  );
});
