import { answerText, type JsonSchema, type ModelRequest, type ModelResponse } from "@bailiwick/core";
import { collectChunks, finishedResponse, type Script } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import { describe, expect, test } from "vitest";
import { look, user, type Sent } from "./ask.fixture.ts";
import { anthropic } from "./index.ts";

const schema = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "number", maximum: 60 }, note: { type: "string" } },
  required: ["city", "degrees"],
  additionalProperties: false,
};
const answer = { city: "Oslo", degrees: 3 };
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
): Promise<{ response: ModelResponse; body: Sent }> {
  await using server = await modelServer(script);
  const model = anthropic(modelId, { apiKey: "k", baseURL: server.baseURL("anthropic") });
  const whole = { messages: [user("Weather?")], ...request };
  const response =
    mode === "JSON" ? await model.generate(whole) : finishedResponse((await collectChunks(model.stream(whole))).chunks);
  expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual([undefined]);
  return { response, body: server.requests[0]?.body as Sent };
}

describe.each(["JSON", "stream"] as const)("%s", (mode) => {
  for (const modelId of ["claude-haiku-4-5", "claude-opus-4-6", "claude-opus-5-5"]) {
    test(`native, with tools (${modelId}, ${mode}) [providers.rule.structured-output]`, async () => {
      expect(anthropic(modelId, { apiKey: "k" }).capabilities.structuredOutput).toBe("with-tools");
      const script: Script = ({ outputSchema }) => (outputSchema === undefined ? "no" : JSON.stringify(answer));
      const { response, body } = await ask(mode, modelId, script, {
        output,
        tools: [look],
        reasoning: { enabled: true, effort: "low" },
      });
      expect(JSON.parse(answerText(response.message))).toEqual(answer);
      expect(response.finishReason).toBe("stop");
      expect(body["output_config"]).toMatchObject({
        format: {
          type: "json_schema",
          schema: { required: ["city", "degrees"], properties: { degrees: { description: "(maximum: 60)" } } },
        },
      });
    });
  }

  test(`a model without a format answers through a tool (${mode}) [providers.rule.structured-output.final-answer-tool]`, async () => {
    const modelId = "claude-sonnet-4-20250514";
    expect(anthropic(modelId, { apiKey: "k" }).capabilities.structuredOutput).toBe("none");
    const script: Script = ({ toolChoice }) =>
      toolChoice === "required" ? { toolCalls: [{ name: "final_answer", arguments: answer }] } : "no";
    const { response, body } = await ask(mode, modelId, script, { tools: [look, finalAnswer], toolChoice: "required" });
    expect(response.message.toolCalls).toMatchObject([{ name: "final_answer", input: answer }]);
    expect(body).not.toHaveProperty("output_config");
  });

  test(`a model that thinks is instructed to call the tool instead of forced to (${mode}) [providers.rule.structured-output.final-answer-tool]`, async () => {
    const { response, body } = await ask(
      mode,
      "claude-3-7-sonnet-latest",
      () => ({ reasoning: "Hm.", toolCalls: [{ name: "final_answer", arguments: answer }] }),
      {
        tools: [look, finalAnswer],
        toolChoice: "required",
        reasoning: { enabled: true },
      },
    );
    expect(response.message.toolCalls).toMatchObject([{ name: "final_answer", input: answer }]);
    expect(body["tool_choice"]).toEqual({ type: "auto" });
    expect(response.warnings).toMatchObject([{ subject: "toolChoice" }]);
  });

  test(`a schema that cannot be enforced is requested in the prompt, with a warning (${mode}) [providers.rule.structured-output]`, async () => {
    const open: JsonSchema = { type: "object", additionalProperties: { type: "string" } };
    const { response, body } = await ask(mode, "claude-opus-4-6", () => '{"a":"b"}', {
      output: { name: "any", schema: open },
    });
    expect(JSON.parse(answerText(response.message))).toEqual({ a: "b" });
    expect(body).not.toHaveProperty("output_config");
    expect(JSON.stringify(body["system"])).toContain("must match this JSON Schema");
    expect(response.warnings).toMatchObject([{ code: "strict_unavailable", subject: "strict" }]);
  });
});
