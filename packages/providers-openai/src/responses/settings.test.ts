import { type Message, type ToolDefinition } from "@bailiwick/core";
import { expect, test } from "vitest";
import { openaiOptions } from "../index.ts";
import { listAt } from "../replay.fixture.ts";
import { bodies, look, user } from "./responses.fixture.ts";

test("sampling settings are dropped with a warning, and system becomes developer [providers.openai-responses.reasoning-models] [providers.rule.warnings]", async () => {
  const { bodies: sent, answers } = await bodies(
    [],
    [
      {
        messages: [{ id: "s", role: "system", content: "Be brief." }, user("Hi")],
        temperature: 0.2,
        topP: 0.9,
        stopSequences: ["X"],
        maxTokens: 4,
      },
      { temperature: 0.2, reasoning: { enabled: false } },
      { reasoning: { enabled: true, budgetTokens: 10_000 } },
    ],
  );
  expect(sent[0]).not.toHaveProperty("temperature");
  expect(sent[0]).toMatchObject({ max_output_tokens: 16, input: [{ role: "developer" }, { role: "user" }] });
  expect(answers[0]?.warnings.map(({ code, subject }) => [code, subject])).toEqual([
    ["unsupported_setting", "temperature"],
    ["unsupported_setting", "topP"],
    ["adjusted_setting", "maxTokens"],
    ["unsupported_setting", "stopSequences"],
  ]);
  expect(sent[1]).toMatchObject({ temperature: 0.2, reasoning: { effort: "none" } });
  expect(sent[2]).toMatchObject({ reasoning: { effort: "medium", summary: "auto" } });
  const { bodies: old, answers: told } = await bodies(
    [],
    [{ temperature: 0.2, reasoning: { enabled: true, effort: "high" } }],
    "gpt-4.1",
  );
  expect(old[0]).toMatchObject({ temperature: 0.2 });
  expect(old[0]).not.toHaveProperty("reasoning");
  expect(told[0]?.warnings).toMatchObject([{ code: "unsupported_setting", subject: "reasoning" }]);
});

test("an unsupported effort is replaced by a supported one, with a warning [messages.reasoning-config]", async () => {
  const { bodies: sent, answers } = await bodies(
    [],
    [{ reasoning: { enabled: true, effort: "max", summary: "none" } }],
    "gpt-5",
  );
  expect(sent[0]?.["reasoning"]).toEqual({ effort: "high" });
  expect(answers[0]?.warnings).toMatchObject([{ code: "adjusted_setting", subject: "reasoning.effort" }]);
});

test("strict is always set; a schema that cannot be strict is sent as not strict, with a warning [providers.openai-responses.strict-explicit] [providers.rule.strict-schemas] [providers.rule.strict-schemas.nulls-stripped] [tool.field.strict]", async () => {
  const schema = {
    type: "object",
    properties: {
      id: { type: "string" },
      note: { type: "string" },
      deep: { type: "object", properties: { x: { type: "number" } } },
    },
    required: ["id"],
  };
  const tools: ToolDefinition[] = [
    { type: "function", name: "loose", description: "", inputSchema: schema },
    { type: "function", name: "tight", description: "", inputSchema: schema, strict: true },
    {
      type: "function",
      name: "open",
      description: "",
      inputSchema: { type: "object", additionalProperties: { type: "string" } },
      strict: true,
    },
  ];
  const {
    bodies: [body],
    answers: [answer],
  } = await bodies(
    [{ toolCalls: [{ name: "tight", arguments: { id: "1", note: null, deep: { x: null } } }] }],
    [{ tools }],
  );
  expect(listAt(body, "tools").map(({ strict }) => strict)).toEqual([false, true, false]);
  expect(body?.["tools"]).toMatchObject([
    {},
    { parameters: { required: ["id", "note", "deep"], additionalProperties: false } },
    { parameters: { additionalProperties: { type: "string" } } },
  ]);
  expect(answer?.warnings).toMatchObject([
    { code: "strict_unavailable", message: expect.stringContaining('"open"') as string },
  ]);
  expect(answer?.message.toolCalls[0]?.input).toEqual({ id: "1", deep: {} });
});

test("a schema is sent together with tools, streamed or not [providers.rule.structured-output]", async () => {
  const output = {
    name: "answer",
    schema: { type: "object", properties: { city: { type: "string" }, note: { type: "string" } }, required: ["city"] },
  };
  const {
    bodies: [body],
    provider,
  } = await bodies([{ text: '{"city":"Oslo","note":null}' }], [{ tools: [look], output }]);
  expect(body).toMatchObject({
    tools: [{ name: "look" }],
    text: { format: { type: "json_schema", name: "answer", strict: true, schema: { required: ["city", "note"] } } },
  });
  expect(provider.capabilities.structuredOutput).toBe("with-tools");
});

test("the session is the cache key, parallel agents share one, and caching can be disabled [providers.rule.caching] [providers.rule.caching.shared-prefix]", async () => {
  const system: Message = { id: "s", role: "system", content: "You are one of many." };
  const shared = { messages: [system, user("Hi")], caching: "shared" } as const;
  const { bodies: sent } = await bodies(
    [],
    [
      { sessionId: "session-1" },
      { ...shared, sessionId: "a" },
      { ...shared, sessionId: "b" },
      { caching: false, sessionId: "c" },
    ],
    "gpt-6",
  );
  expect(sent[0]).toMatchObject({ prompt_cache_key: "session-1" });
  expect(sent[1]?.["prompt_cache_key"]).toBe(sent[2]?.["prompt_cache_key"]);
  expect(sent[1]).toMatchObject({
    input: [{ content: [{ text: "You are one of many.", prompt_cache_breakpoint: { mode: "explicit" } }] }, {}],
  });
  expect(sent[3]).toMatchObject({ prompt_cache_options: { mode: "explicit" } });
  expect(sent[3]).not.toHaveProperty("prompt_cache_key");
  const { answers } = await bodies([], [{ caching: false }]);
  expect(answers[0]?.warnings).toMatchObject([{ code: "unsupported_setting", subject: "caching" }]);
});

test("tools keep their order, and a definition is prepared once for all requests [providers.rule.caching]", async () => {
  let reads = 0;
  const counted: ToolDefinition = {
    ...look,
    get inputSchema() {
      reads += 1;
      return { type: "object", properties: {} };
    },
  };
  const { bodies: sent } = await bodies(
    [],
    [{ tools: [counted, look] }, { tools: [counted, look] }, { tools: [counted, look] }],
  );
  const names = sent.map((body) => listAt(body, "tools").map(({ name }) => name));
  expect(new Set(names.map((one) => one.join())).size).toBe(1);
  const once = reads;
  await bodies([], [{ tools: [counted] }]);
  expect(reads - once).toBeGreaterThan(0);
  expect(once).toBeLessThanOrEqual(reads - once);
});

test("vendor settings are typed and sent, and an unsupported one gives a warning [providers.rule.warnings]", async () => {
  const { bodies: sent, answers } = await bodies(
    [],
    [{ providerOptions: openaiOptions({ serviceTier: "flex", verbosity: "low", seed: 1, metadata: { a: "b" } }) }],
  );
  expect(sent[0]).toMatchObject({ service_tier: "flex", text: { verbosity: "low" }, metadata: { a: "b" } });
  expect(answers[0]?.warnings).toMatchObject([{ code: "unsupported_setting", subject: "seed" }]);
});

test("an effort that a generation does not accept is sent as the nearest one with a warning [providers.models.table]", async () => {
  // https://github.com/QwenLM/qwen-code/pull/11295
  const sent = async (model: string, effort: "none" | "minimal" | "max") => {
    const { bodies: all, answers } = await bodies([], [{ reasoning: { enabled: effort !== "none", effort } }], model);
    return [(all[0]?.["reasoning"] as { effort?: string } | undefined)?.effort, answers[0]?.warnings.length];
  };
  expect(await sent("gpt-5.6-sol", "minimal")).toEqual(["low", 1]);
  expect(await sent("gpt-5.6-sol", "max")).toEqual(["max", 0]);
  expect(await sent("gpt-5.5", "max")).toEqual(["xhigh", 1]);
  expect(await sent("gpt-6-astra", "none")).toEqual(["low", 1]);
  expect(await sent("gpt-6-astra", "max")).toEqual(["max", 0]);
});
