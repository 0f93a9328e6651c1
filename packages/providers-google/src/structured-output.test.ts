import { answerText, type JsonSchema, type ModelRequest, type ModelResponse } from "@bailiwick/core";
import { collectChunks, finishedResponse, jsonAt, type Script } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { look, user, warned } from "./ask.fixture.ts";
import { google } from "./index.ts";

const weather = z.object({
  kind: z.literal("weather"),
  city: z.string(),
  degrees: z.number().max(60).optional(),
});
const schema = z.toJSONSchema(weather) as JsonSchema;
const lowered = {
  type: "object",
  properties: {
    kind: { type: "string", enum: ["weather"] },
    city: { type: "string" },
    degrees: { type: "number", maximum: 60 },
  },
  required: ["kind", "city"],
  additionalProperties: false,
};
const answer = { kind: "weather", city: "Oslo" };
const output = { name: "weather", schema };
const finalAnswer = {
  type: "function",
  name: "final_answer",
  description: "Gives the final answer.",
  inputSchema: schema,
} as const;

/** Requests like the runner, by the model's capabilities: the format, or a call of the final-answer tool. */
async function ask(
  mode: "JSON" | "stream",
  modelId: string,
  script: Script,
  request: Partial<ModelRequest>,
): Promise<{ response: ModelResponse; body: unknown }> {
  await using server = await modelServer(script);
  const model = google(modelId, { apiKey: "k", baseURL: server.baseURL("google") });
  const whole = { messages: [user("Weather?")], ...request };
  const response =
    mode === "JSON" ? await model.generate(whole) : finishedResponse((await collectChunks(model.stream(whole))).chunks);
  expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual([undefined]);
  return { response, body: server.requests[0]?.body };
}

const inFormat: Script = ({ outputSchema }) => (outputSchema === undefined ? "no format" : JSON.stringify(answer));

describe.each(["JSON", "stream"] as const)("%s", (mode) => {
  test(`native, with tools, from Gemini 3 on (${mode}) [providers.rule.structured-output] [providers.google.json-with-tools]`, async () => {
    expect(google("gemini-3-pro", { apiKey: "k" }).capabilities.structuredOutput).toBe("with-tools");
    const { response, body } = await ask(mode, "gemini-3-pro", inFormat, { output, tools: [look] });
    expect(weather.parse(JSON.parse(answerText(response.message)))).toEqual(answer);
    expect(jsonAt(body, "generationConfig")).toEqual({
      responseMimeType: "application/json",
      responseJsonSchema: lowered,
    });
  });

  test(`native, without tools, before Gemini 3 (${mode}) [providers.rule.structured-output]`, async () => {
    expect(google("gemini-2.5-flash", { apiKey: "k" }).capabilities.structuredOutput).toBe("without-tools");
    const { response, body } = await ask(mode, "gemini-2.5-flash", inFormat, { output });
    expect(weather.parse(JSON.parse(answerText(response.message)))).toEqual(answer);
    expect(jsonAt(body, "generationConfig", "responseJsonSchema")).toEqual(lowered);
  });

  test(`a model before Gemini 3 with tools answers through a tool (${mode}) [providers.rule.structured-output.final-answer-tool] [providers.google.json-with-tools]`, async () => {
    const script: Script = ({ toolChoice }) =>
      toolChoice === "required" ? { toolCalls: [{ name: "final_answer", arguments: answer }] } : "not forced";
    const { response, body } = await ask(mode, "gemini-2.5-flash", script, {
      tools: [look, finalAnswer],
      toolChoice: "required",
    });
    expect(response.finishReason).toBe("tool_calls");
    expect(response.message.toolCalls).toMatchObject([{ name: "final_answer", input: answer }]);
    expect(jsonAt(body, "tools", 0, "functionDeclarations", 1, "parametersJsonSchema")).toEqual(lowered);
  });

  test(`a format that the model does not accept with tools is left out, with a warning (${mode}) [providers.rule.warnings]`, async () => {
    const { response, body } = await ask(mode, "gemini-2.5-flash", ["Rain."], { output, tools: [look] });
    expect(jsonAt(body, "generationConfig")).toBeUndefined();
    expect(warned(response)).toEqual(["unsupported_setting: output"]);
  });

  test(`a list at the root needs no wrapper (${mode}) [providers.rule.structured-output]`, async () => {
    const list = { type: "array", items: { type: "string" } };
    const { response, body } = await ask(mode, "gemini-3-pro", ['["Oslo"]'], {
      output: { name: "cities", schema: list },
    });
    expect(jsonAt(body, "generationConfig", "responseJsonSchema")).toEqual(list);
    expect(answerText(response.message)).toBe('["Oslo"]');
  });
});

test("the format is sent as JSON Schema, constants as enums, without the dialect [providers.google.json-schema]", async () => {
  const { body } = await ask("JSON", "gemini-3-pro", [JSON.stringify(answer)], { output });
  expect(schema).toHaveProperty("$schema");
  expect(jsonAt(body, "generationConfig", "responseJsonSchema")).toEqual(lowered);
});

test("an old backend gets the format as `responseSchema` [providers.google.json-schema]", async () => {
  await using server = await modelServer([JSON.stringify(answer)]);
  const model = google("gemini-2.5-flash", { apiKey: "k", baseURL: server.baseURL("google"), openApiSchemas: true });
  await model.generate({ messages: [user("Hi")], output });
  expect(server.requests[0]?.refusedBy).toBeUndefined();
  expect(jsonAt(server.requests[0]?.body, "generationConfig", "responseSchema", "properties", "kind")).toEqual({
    type: "string",
    enum: ["weather"],
  });
});
