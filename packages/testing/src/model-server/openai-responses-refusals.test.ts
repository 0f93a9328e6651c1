import { expect, test } from "vitest";
import { modelServer, refusals } from "./index.ts";
import { askRefused, type Json, type RefusalBench, type RefusalCase } from "./refusal-cases.fixture.ts";

const weather = {
  type: "function",
  name: "weather",
  strict: true,
  parameters: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
};
const good = {
  model: "gpt-5.5",
  input: "Weather?",
  tools: [weather],
  store: false,
  include: ["reasoning.encrypted_content"],
};
const bench: RefusalBench = {
  path: "/v1/responses",
  headers: { authorization: "Bearer test", "content-type": "application/json" },
  good,
  step: { reasoning: "Hm.", toolCalls: [{ name: "weather", arguments: { city: "Oslo" } }] },
};

const user = { role: "user", content: "Weather?" };
const output = (first: Json): readonly Json[] => first["output"] as readonly Json[];
const result = (first: Json): Json => ({
  type: "function_call_output",
  call_id: output(first)[1]?.["call_id"],
  output: "cold",
});
const withInput =
  (input: (first: Json) => readonly unknown[]) =>
  (first: Json): Json => ({ ...good, input: input(first) });
const withTool = (tool: Json) => (): Json => ({ ...good, tools: [{ ...weather, ...tool }] });
const schema = (properties: Json, extra: Json = {}) =>
  withTool({
    parameters: {
      type: "object",
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
      ...extra,
    },
  });
const call = { type: "function_call", name: "weather", call_id: "call_1", arguments: "{}" };
const answer = { type: "function_call_output", call_id: "call_1", output: "cold" };
const format = (value: Json): Json => ({ ...good, text: { format: value } });

/** A user message with one part. */
const saidWith = (part: Json) => withInput(() => [{ role: "user", content: [part] }]);

const cases: readonly RefusalCase[] = [
  {
    id: "responses.image-type",
    says: "unsupported MIME type 'image/svg+xml'",
    body: saidWith({ type: "input_image", image_url: "data:image/svg+xml;base64,PHN2Zz4=" }),
  },
  {
    id: "responses.image-type",
    says: "Invalid 'input[1].output[0].image_url'",
    body: withInput(() => [
      call,
      { ...answer, output: [{ type: "input_image", image_url: "data:image/png;base64," }] },
    ]),
  },
  {
    id: "responses.file-type",
    says: "unsupported MIME type 'application/zip'",
    body: saidWith({ type: "input_file", filename: "a.zip", file_data: "data:application/zip;base64,UEsD" }),
  },
  {
    id: "openai.key-missing",
    says: "You didn't provide an API key",
    status: 401,
    headers: { authorization: "" },
    body: () => good,
  },
  {
    id: "openai.key-invalid",
    says: "Incorrect API key provided: wron*****-key",
    status: 401,
    headers: { authorization: "Bearer wrongtest-key" },
    options: { keys: ["test"] },
    body: () => good,
  },
  {
    id: "openai.model-missing",
    says: "you must provide a model parameter",
    body: () => ({ ...good, model: undefined }),
  },
  {
    id: "openai.model-unknown",
    says: "The model `gpt-5.5x` does not exist",
    status: 404,
    options: { models: ["gpt-5.5"] },
    body: () => ({ ...good, model: "gpt-5.5x" }),
  },
  {
    id: "responses.parameter-moved",
    says: "this parameter has moved to 'text.format'",
    body: () => ({ ...good, response_format: {} }),
  },
  { id: "responses.parameter-unknown", says: "Unknown parameter: 'stop'.", body: () => ({ ...good, stop: ["x"] }) },
  { id: "responses.input-missing", says: 'One of "input"', body: () => ({ ...good, input: [] }) },
  {
    id: "responses.content-type",
    says: "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
    body: withInput(() => [{ role: "assistant", content: [{ type: "input_text", text: "x" }] }]),
  },
  {
    id: "responses.reasoning-summary-missing",
    says: "Missing required parameter: 'input[0].summary'.",
    body: withInput((first) => [{ ...output(first)[0], summary: undefined }, output(first)[1], result(first)]),
  },
  {
    id: "responses.max-output-tokens-too-low",
    says: "Expected a value >= 16, but got 15",
    body: () => ({ ...good, max_output_tokens: 15 }),
  },
  {
    id: "responses.json-word-missing",
    says: "must contain the word 'json'",
    body: () => format({ type: "json_object" }),
  },
  {
    id: "responses.tool-name-invalid",
    says: "Invalid 'tools[0].name': string does not match pattern",
    body: withTool({ name: "a.b" }),
  },
  {
    id: "responses.tool-name-invalid",
    says: "maximum length 64, but got a string with length 65",
    body: withTool({ name: "a".repeat(65) }),
  },
  {
    id: "responses.tool-schema-invalid",
    says: `got 'type: "None"'`,
    body: withTool({ strict: false, parameters: {} }),
  },
  {
    id: "responses.tool-schema-invalid",
    says: "Missing 'b'.",
    body: schema({ b: { type: "string" } }, { required: [] }),
  },
  {
    id: "responses.tool-schema-invalid",
    says: "In context=(), 'additionalProperties' is required",
    body: schema({}, { additionalProperties: undefined }),
  },
  {
    id: "responses.tool-schema-invalid",
    says: "In context=('properties', 'b'), 'allOf' is not permitted.",
    body: schema({ b: { allOf: [] } }),
  },
  { id: "responses.tool-schema-invalid", says: "schema must have a 'type' key", body: schema({ b: {} }) },
  { id: "responses.tool-schema-invalid", says: "array schema missing items", body: schema({ b: { type: "array" } }) },
  {
    id: "responses.tool-schema-invalid",
    says: "Extra required key 'c'",
    body: schema({ b: { type: "string" } }, { required: ["b", "c"] }),
  },
  {
    id: "responses.output-schema-invalid",
    says: "Invalid schema for response_format 'out'",
    body: () => format({ type: "json_schema", name: "out", strict: true, schema: { type: "object", properties: {} } }),
  },
  {
    id: "responses.tool-choice-without-tool",
    says: "Tool choice 'required' must be specified with 'tools'",
    body: () => ({ ...good, tools: [], tool_choice: "required" }),
  },
  {
    id: "responses.tool-choice-without-tool",
    says: "Tool choice 'other' not found",
    body: () => ({ ...good, tool_choice: { type: "function", name: "other" } }),
  },
  {
    id: "responses.sampling-on-reasoning-model",
    says: "Unsupported parameter: 'temperature'",
    body: () => ({ ...good, temperature: 0 }),
  },
  {
    id: "responses.reasoning-on-other-model",
    says: "'reasoning.effort' is not supported",
    body: () => ({ model: "gpt-4.1", input: "x", reasoning: { effort: "low" } }),
  },
  {
    id: "responses.encrypted-content-on-other-model",
    says: "Encrypted content is not supported",
    body: () => ({ ...good, model: "gpt-4.1" }),
  },
  {
    id: "responses.previous-response-unknown",
    says: "Previous response with id 'resp_x' not found.",
    body: () => ({ ...good, previous_response_id: "resp_x" }),
  },
  {
    id: "responses.item-not-stored",
    says: "Items are not persisted when `store` is set to false",
    status: 404,
    body: withInput((first) => [{ type: "item_reference", id: output(first)[1]?.["id"] }]),
  },
  {
    id: "responses.item-not-stored",
    says: "not found",
    status: 404,
    body: withInput((first) => [
      { ...output(first)[0], encrypted_content: undefined },
      output(first)[1],
      result(first),
    ]),
  },
  {
    id: "responses.encrypted-content-invalid",
    says: "could not be verified",
    body: withInput((first) => [
      { ...output(first)[0], encrypted_content: "gAAAAABpchanged" },
      output(first)[1],
      result(first),
    ]),
  },
  {
    id: "responses.item-id-invalid",
    says: "Expected an ID that begins with 'fc'",
    body: withInput(() => [{ ...call, id: "call_1" }, answer]),
  },
  {
    id: "responses.call-id-too-long",
    says: "Invalid 'input[0].call_id': string too long",
    body: withInput(() => [
      { ...call, call_id: "c".repeat(65) },
      { ...answer, call_id: "c".repeat(65) },
    ]),
  },
  {
    id: "responses.call-name-invalid",
    says: "Invalid 'input[0].name'",
    body: withInput(() => [{ ...call, name: "a b" }, answer]),
  },
  {
    id: "responses.namespace-missing",
    says: "Missing namespace for function_call 'weather'",
    body: () => ({
      ...good,
      tools: [{ type: "namespace", name: "sky", description: "The sky.", tools: [weather] }],
      input: [call, answer],
    }),
  },
  {
    id: "responses.item-duplicate",
    says: "Duplicate item found with id fc_1",
    body: withInput(() => [{ ...call, id: "fc_1" }, answer, { ...call, id: "fc_1" }, answer]),
  },
  {
    id: "responses.call-without-output",
    says: "No tool output found for function call call_",
    body: withInput((first) => [user, ...output(first)]),
  },
  {
    id: "responses.output-without-call",
    says: "No tool call found for function call output with call_id call_1.",
    body: withInput(() => [user, answer]),
  },
  {
    id: "responses.reasoning-without-item",
    says: "was provided without its required following item",
    body: withInput((first) => [user, output(first)[0], user]),
  },
  {
    id: "responses.reasoning-without-item",
    says: "was provided without its required following item",
    body: (first) => ({
      ...withInput((earlier) => [user, output(earlier)[0], { ...output(earlier)[1], id: undefined }, result(earlier)])(
        first,
      ),
      store: true,
    }),
  },
  {
    id: "responses.item-without-reasoning",
    says: "was provided without its required 'reasoning' item: 'rs_",
    body: withInput((first) => [user, output(first)[1], result(first)]),
  },
];

test.each(cases)("refuses as OpenAI does: $id ($says)", async (refusal) => {
  const refused = await askRefused(bench, refusal);
  expect(refused.request?.refusedBy).toBe(refusal.id);
  expect(refused.message).toContain(refusal.says);
  expect(refused.status).toBe(refusal.status ?? 400);
});

test("a call with a namespace is refused without it, and accepted with it", async () => {
  const item = { ...call, id: "fc_1", status: "completed", namespace: "sky" };
  await using server = await modelServer(() => ({ parts: [{ type: "raw", value: item }] }));
  const ask = async (...input: readonly Json[]): Promise<number> => {
    const response = await fetch(`${server.url}/v1/responses`, {
      method: "POST",
      headers: { authorization: "Bearer test" },
      body: JSON.stringify({ model: "gpt-5.5", input, store: false }),
    });
    await response.text();
    return response.status;
  };
  const { namespace: _namespace, ...bare } = item;
  expect([await ask(user), await ask(user, bare, answer), await ask(user, item, answer)]).toEqual([200, 400, 200]);
  expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual([
    undefined,
    "responses.namespace-missing",
    undefined,
  ]);
});

test("every refusal of the wire has a case here", () => {
  const ids = refusals.filter((refusal) => refusal.wires.includes("openai-responses")).map((refusal) => refusal.id);
  expect(ids.filter((id) => !cases.some((known) => known.id === id))).toEqual([]);
});
