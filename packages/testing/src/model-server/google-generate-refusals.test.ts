import { expect, test } from "vitest";
import { refusals } from "./index.ts";
import { askRefused, type Json, type RefusalBench, type RefusalCase } from "./refusal-cases.fixture.ts";

const user = { role: "user", parts: [{ text: "Weather?" }] };
const weather = { name: "weather", parameters: { type: "OBJECT", properties: { city: { type: "STRING" } } } };
const good = { contents: [user], tools: [{ functionDeclarations: [weather] }] };
const old = "/v1beta/models/gemini-2.5-flash:generateContent";
const bench: RefusalBench = {
  path: "/v1beta/models/gemini-3-pro-preview:generateContent",
  headers: { "x-goog-api-key": "test" },
  good,
  step: { toolCalls: [{ name: "weather" }, { name: "weather" }] },
};

type Candidates = readonly { readonly content: { readonly parts: readonly Json[] } }[];
const parts = (first: Json): readonly Json[] => (first["candidates"] as Candidates)[0]?.content.parts ?? [];
const response = { functionResponse: { name: "weather", response: { output: "cold" } } };
const contents =
  (...list: readonly Json[]) =>
  (): Json => ({ ...good, contents: list });
const replay =
  (change: (parts: readonly Json[]) => readonly Json[], count = 2) =>
  (first: Json): Json => ({
    ...good,
    contents: [
      user,
      { role: "model", parts: change(parts(first)) },
      { role: "user", parts: Array.from({ length: count }, () => response) },
    ],
  });
const declared = (extra: Json) => (): Json => ({
  ...good,
  tools: [{ functionDeclarations: [{ ...weather, ...extra }] }],
});
const property = (schema: Json) => declared({ parameters: { type: "OBJECT", properties: { city: schema } } });

const cases: readonly RefusalCase[] = [
  {
    id: "google.media-type",
    says: "Unsupported MIME type: image/gif",
    body: contents({ role: "user", parts: [{ inlineData: { mimeType: "image/gif", data: "R0lG" } }] }),
  },
  {
    id: "google.media-empty",
    says: "inline_data is empty",
    body: contents({ role: "user", parts: [{ inlineData: { mimeType: "image/png", data: "" } }] }),
  },
  {
    id: "google.key-missing",
    says: "unregistered callers",
    status: 403,
    headers: { "x-goog-api-key": "" },
    body: () => good,
  },
  { id: "google.key-invalid", says: "API key not valid", options: { keys: ["other"] }, body: () => good },
  {
    id: "google.model-unknown",
    says: "models/gemini-3-pro-preview is not found",
    status: 404,
    options: { models: [] },
    body: () => good,
  },
  {
    id: "google.field-unknown",
    says: 'Unknown name "messages": Cannot find field.',
    body: () => ({ ...good, messages: [] }),
  },
  { id: "google.contents-missing", says: "contents is not specified", body: contents() },
  {
    id: "google.parts-empty",
    says: "contents[0].parts: contents.parts must not be empty",
    body: contents({ role: "user", parts: [] }),
  },
  {
    id: "google.role-unknown",
    says: "Please use a valid role: user, model.",
    body: contents({ role: "assistant", parts: [{ text: "x" }] }),
  },
  { id: "google.tool-name-invalid", says: "Invalid function name", body: declared({ name: "1st" }) },
  {
    id: "google.tool-schema-invalid",
    says: `Unknown name "const" at 'tools[0].function_declarations[0].parameters.properties[0].value'`,
    body: property({ type: "STRING", const: "x" }),
  },
  {
    id: "google.tool-schema-invalid",
    says: "Proto field is not repeating",
    body: property({ type: ["string", "null"] }),
  },
  { id: "google.tool-schema-invalid", says: "items: missing field", body: property({ type: "ARRAY" }) },
  {
    id: "google.tool-schema-invalid",
    says: "properties: only allowed for OBJECT type",
    body: property({ anyOf: [{ type: "STRING" }], properties: { a: { type: "STRING" } } }),
  },
  {
    id: "google.tool-schema-reference",
    says: "$ref '#/$defs/A' was set alongside unsupported fields",
    body: declared({
      parametersJsonSchema: { type: "object", properties: { a: { $ref: "#/$defs/A", title: "A" } }, $defs: { A: {} } },
    }),
  },
  { id: "google.tool-schema-invalid", says: "(TYPE_STRING), 1", body: property({ type: "NUMBER", enum: [1] }) },
  {
    id: "google.tool-schema-invalid",
    says: `Unknown name "$schema" at 'generation_config.response_schema'`,
    body: () => ({ ...good, generationConfig: { responseSchema: { $schema: "x" } } }),
  },
  {
    id: "google.tool-schema-twice",
    says: "mutually exclusive",
    body: declared({ parametersJsonSchema: { type: "object" } }),
  },
  {
    id: "google.json-mode-with-functions",
    says: "response mime type: 'application/json' is unsupported",
    path: old,
    body: () => ({ ...good, generationConfig: { responseMimeType: "application/json" } }),
  },
  {
    id: "google.hosted-tool-with-functions",
    says: "Tool use with function calling is unsupported",
    path: old,
    body: () => ({ ...good, tools: [...good.tools, { googleSearch: {} }] }),
  },
  {
    id: "google.allowed-functions-without-any",
    says: "only supported when the mode is ANY",
    body: () => ({
      ...good,
      toolConfig: { functionCallingConfig: { mode: "AUTO", allowedFunctionNames: ["weather"] } },
    }),
  },
  {
    id: "google.thinking-level-and-budget",
    says: "only set only one of",
    body: () => ({ ...good, generationConfig: { thinkingConfig: { thinkingLevel: "low", thinkingBudget: 1 } } }),
  },
  {
    id: "google.call-out-of-turn",
    says: "function call turn comes immediately after a user turn",
    body: (first) => ({
      ...good,
      contents: [
        { role: "model", parts: parts(first) },
        { role: "user", parts: [response, response] },
      ],
    }),
  },
  {
    id: "google.response-out-of-turn",
    says: "function response turn comes immediately after a function call turn",
    body: contents(user, { role: "user", parts: [response] }),
  },
  { id: "google.response-count", says: "number of function response parts is equal", body: replay((list) => list, 1) },
  { id: "google.response-count", says: "number of function response parts is equal", body: replay((list) => list, 3) },
  {
    id: "google.final-model-turn",
    says: "Requests ending with a model turn",
    body: contents(user, { role: "model", parts: [{ text: "x" }] }),
  },
  {
    id: "google.thought-signature-missing",
    says: "function call `default_api:weather` , position 2",
    body: replay((list) => list.map((part) => ({ ...part, thoughtSignature: undefined }))),
  },
  {
    id: "google.thought-signature-invalid",
    says: "Thought signature is not valid.",
    body: replay((list) => list.map((part) => ({ ...part, thoughtSignature: "Y2hhbmdlZA==" }))),
  },
];

test.each(cases)("a request that Google refuses is refused with its text: $id ($says)", async (refusal) => {
  const refused = await askRefused(bench, refusal);
  expect(refused.request?.refusedBy).toBe(refusal.id);
  expect(refused.message).toContain(refusal.says);
  expect(refused.status).toBe(refusal.status ?? 400);
});

test("the documented skip text replaces a signature, and calls of earlier turns need none", async () => {
  const unsigned = (list: readonly Json[]): readonly Json[] =>
    list.map((part) => ({ ...part, thoughtSignature: undefined }));
  const skipped = await askRefused(bench, {
    id: "",
    says: "",
    body: replay((list) => list.map((part) => ({ ...part, thoughtSignature: "skip_thought_signature_validator" }))),
  });
  expect(skipped.status).toBe(200);
  const earlier = await askRefused(bench, {
    id: "",
    says: "",
    body: (first) => ({
      ...good,
      contents: [...(replay(unsigned)(first)["contents"] as []), { role: "model", parts: [{ text: "Cold." }] }, user],
    }),
  });
  expect(earlier.status).toBe(200);
});

test("every refusal of the wire has a case here", () => {
  const ids = refusals.filter((refusal) => refusal.wires.includes("google-generate")).map((refusal) => refusal.id);
  expect(ids.filter((id) => !cases.some((known) => known.id === id))).toEqual([]);
});
