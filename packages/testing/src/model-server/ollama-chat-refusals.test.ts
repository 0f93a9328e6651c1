import { expect, test } from "vitest";
import { refusals } from "./index.ts";
import { askRefused, type Json, type RefusalBench, type RefusalCase } from "./refusal-cases.fixture.ts";

const weather = { type: "function", function: { name: "weather", parameters: { type: "object", properties: {} } } };
const user = { role: "user", content: "Weather?" };
const good = { model: "qwen3", stream: false, messages: [user], tools: [weather], options: { num_ctx: 4096 } };
const bench: RefusalBench = {
  path: "/api/chat",
  headers: {},
  good,
  step: { toolCalls: [{ name: "weather" }] },
};
const withParameters = (parameters: Json) => (): Json => ({
  ...good,
  tools: [{ type: "function", function: { name: "weather", parameters } }],
});

const cases: readonly RefusalCase[] = [
  {
    id: "ollama.key-invalid",
    says: "unauthorized",
    status: 401,
    headers: { authorization: "Bearer wrong" },
    options: { keys: ["right"] },
    body: () => good,
  },
  { id: "ollama.model-missing", says: "model is required", body: () => ({ ...good, model: "" }) },
  {
    id: "ollama.model-unknown",
    says: "model 'qwen3' not found",
    status: 404,
    options: { models: ["gemma3"] },
    body: () => good,
  },
  {
    id: "ollama.content-not-text",
    says: "cannot unmarshal array into Go struct field ChatRequest.messages.content",
    body: () => ({ ...good, messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }] }),
  },
  {
    id: "ollama.image-not-base64",
    says: "illegal base64 data",
    body: () => ({ ...good, messages: [{ ...user, images: ["data:image/png;base64,aGk="] }] }),
  },
  {
    id: "ollama.arguments-not-object",
    says: "cannot unmarshal string into Go struct field ChatRequest.messages.tool_calls.function.arguments",
    body: () => ({
      ...good,
      messages: [
        user,
        { role: "assistant", content: "", tool_calls: [{ function: { name: "weather", arguments: "{}" } }] },
      ],
    }),
  },
  {
    id: "ollama.tool-schema-mistyped",
    says: "cannot unmarshal bool into Go struct field ToolFunctionParameters.tools.function.parameters.properties",
    body: withParameters({ type: "object", properties: { at: { anyOf: [{ type: "string" }, true] } } }),
  },
  {
    id: "ollama.tool-schema-mistyped",
    says: "cannot unmarshal array",
    body: withParameters({ type: ["object", "null"], properties: {} }),
  },
  { id: "ollama.think-invalid", says: 'invalid think value: "xhigh"', body: () => ({ ...good, think: "xhigh" }) },
  { id: "ollama.format-invalid", says: "invalid format", body: () => ({ ...good, format: "yaml" }) },
  {
    id: "ollama.option-invalid",
    says: 'option "num_ctx" must be of type integer',
    body: () => ({ ...good, options: { num_ctx: "4096" } }),
  },
  {
    id: "ollama.option-invalid",
    says: 'option "stop" must be of type array',
    body: () => ({ ...good, options: { stop: "end" } }),
  },
];

test.each(cases)("refuses as Ollama does: $id ($says)", async (refusal) => {
  const refused = await askRefused(bench, refusal);
  expect(refused.request?.refusedBy).toBe(refusal.id);
  expect(refused.message).toContain(refusal.says);
  expect(refused.status).toBe(refusal.status ?? 400);
});

test("every refusal of the wire has a case here", () => {
  const ids = refusals.filter((refusal) => refusal.wires.includes("ollama-chat")).map((refusal) => refusal.id);
  expect(ids.filter((id) => !cases.some((known) => known.id === id))).toEqual([]);
});
