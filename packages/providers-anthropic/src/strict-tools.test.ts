import type { FunctionToolDefinition, JsonSchema, ModelRequest } from "@bailiwick/core";
import { modelServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { asked, user, warned, type Sent } from "./ask.fixture.ts";
import { anthropic } from "./index.ts";

const strict = (name: string, inputSchema: JsonSchema): FunctionToolDefinition => ({
  type: "function",
  name,
  description: "",
  inputSchema,
  strict: true,
});
const keys = (count: number, required = true, type: unknown = "string"): JsonSchema => {
  const names = Array.from({ length: count }, (_, index) => `k${index}`);
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type }])),
    required: required ? names : [],
  };
};
const strictness = (body: Sent | undefined) =>
  ((body?.["tools"] ?? []) as readonly Sent[]).map((tool) => tool["strict"] ?? false);

test("a schema is reduced to the keywords that the vendor enforces; keys may stay optional [providers.rule.strict-schemas] [tool.field.strict]", async () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      id: { type: "string", minLength: 2, description: "The id." },
      tags: {
        type: "array",
        items: { oneOf: [{ type: "string" }, { type: "object", properties: { x: { type: "number", minimum: 3 } } }] },
        minItems: 2,
      },
      when: { type: "string", format: "date" },
    },
    required: ["id"],
  };
  const open = { type: "object", additionalProperties: { type: "string" } };
  const node = { type: "object", properties: { next: { $ref: "#/$defs/node" } } };
  const looped = { type: "object", properties: { first: { $ref: "#/$defs/node" } }, $defs: { node } };
  const { bodies, answers } = await asked([
    {
      tools: [
        { ...strict("loose", schema), strict: undefined },
        strict("tight", schema),
        strict("open.up", open),
        strict("looped", looped),
      ],
    },
  ]);
  const tools = bodies[0]?.["tools"] as readonly Sent[];
  expect(strictness(bodies[0])).toEqual([false, true, false, false]);
  expect(tools[1]?.["input_schema"]).toEqual({
    type: "object",
    properties: {
      id: { type: "string", description: "The id. (minLength: 2)" },
      tags: {
        type: "array",
        description: "(minItems: 2)",
        items: {
          anyOf: [
            { type: "string" },
            {
              type: "object",
              properties: { x: { type: "number", description: "(minimum: 3)" } },
              additionalProperties: false,
            },
          ],
        },
      },
      when: { type: "string", format: "date" },
    },
    required: ["id"],
    additionalProperties: false,
  });
  expect(tools[0]?.["input_schema"]).toMatchObject({ properties: { id: { minLength: 2 } } });
  expect(answers[0]?.warnings.map(({ code, message }) => [code, /Tool "([\w.]+)"/.exec(message)?.[1]])).toEqual([
    ["strict_unavailable", "open.up"],
    ["strict_unavailable", "looped"],
  ]);
});

test("tools beyond the vendor's limits are sent without strict mode, in order, with a warning [providers.anthropic.strict-limits]", async () => {
  const many = Array.from({ length: 23 }, (_, index) => strict(`t${index}`, keys(1)));
  const optional = [strict("a", keys(20, false)), strict("b", keys(5, false)), strict("c", keys(4, false))];
  const unions = [
    strict("a", keys(16, true, ["string", "null"])),
    strict("b", keys(1, true, ["string", "null"])),
    strict("c", keys(1)),
  ];
  const { bodies, answers } = await asked([{ tools: many }, { tools: optional }, { tools: unions }]);
  expect(bodies.map(strictness)).toEqual([
    [...Array.from({ length: 20 }, () => true), false, false, false],
    [true, false, true],
    [true, false, true],
  ]);
  expect(answers.map((answer) => answer.warnings.length)).toEqual([3, 1, 1]);
  // The answer's own schema uses a part of the limit.
  const output = { name: "answer", schema: { ...keys(10, true, ["string", "null"]), additionalProperties: false } };
  const { bodies: shared } = await asked([
    { output, tools: [strict("a", keys(7, true, ["string", "null"])), strict("b", keys(6, true, ["string", "null"]))] },
    {
      output: { name: "answer", schema: keys(20, false) },
      tools: [strict("a", keys(5, false)), strict("b", keys(4, false))],
    },
  ]);
  expect(shared.map(strictness)).toEqual([
    [false, true],
    [false, true],
  ]);
  const { bodies: old, answers: told } = await asked([{ tools: [strict("a", keys(1))] }], "claude-sonnet-4");
  expect(strictness(old[0])).toEqual([false]);
  expect(warned(told[0])).toEqual([["strict_unavailable", "strict"]]);
});

test("a tool that the vendor refuses in strict mode is resent without it, and the session remembers it [providers.anthropic.strict-limits]", async () => {
  const message =
    "The compiled grammar is too large, which would cause performance issues. Simplify your tool schemas or reduce the number of strict tools.";
  for (const mode of ["generate", "stream"] as const) {
    await using server = await modelServer(({ tools }) =>
      tools.some((tool) => tool.strict === true) ? { faults: { error: { status: 400, message } } } : "ok",
    );
    const model = anthropic("claude-sonnet-4-5", { apiKey: "k", baseURL: server.baseURL("anthropic") });
    const ask = async (more: Partial<ModelRequest> = {}) => {
      const request = { messages: [user("Hi")], tools: [strict("a", keys(1))], sessionId: "s1", ...more };
      if (mode === "generate") return (await model.generate(request)).warnings;
      const warnings = [];
      for await (const chunk of model.stream(request)) if (chunk.type === "warning") warnings.push(chunk.warning);
      return warnings;
    };
    expect(await ask()).toMatchObject([
      { code: "strict_unavailable", message: expect.stringContaining("refused") as string },
    ]);
    await ask();
    await ask({ sessionId: "s2" });
    expect(server.requests.map(({ body }) => strictness(body as Sent)[0])).toEqual([true, false, false, true, false]);
  }
});

test("concurrent calls are each sent again [providers.anthropic.strict-limits]", async () => {
  await using server = await modelServer(({ tools }) =>
    tools.some((tool) => tool.strict === true)
      ? { faults: { delayMs: 20, error: { status: 400, message: "The compiled grammar is too large." } } }
      : "ok",
  );
  const model = anthropic("claude-sonnet-4-5", { apiKey: "k", baseURL: server.baseURL("anthropic") });
  const request = { messages: [user("Hi")], tools: [strict("a", keys(1))], sessionId: "s1" };
  const answers = await Promise.all([model.generate(request), model.generate(request)]);
  expect(answers.map(({ finishReason }) => finishReason)).toEqual(["stop", "stop"]);
  expect(server.requests).toHaveLength(4);
});

test("without a session, refused tools are remembered by their definitions [providers.anthropic.strict-limits]", async () => {
  const message =
    "Schema is too complex for compilation. Try reducing the number of tools or simplifying tool schemas.";
  await using server = await modelServer(({ tools }) =>
    tools.some((tool) => tool.strict === true) ? { faults: { error: { status: 400, message } } } : "ok",
  );
  const model = anthropic("claude-sonnet-4-5", { apiKey: "k", baseURL: server.baseURL("anthropic") });
  const tools = [strict("a", keys(1))];
  for (const offered of [tools, tools, [strict("b", keys(1))]])
    await model.generate({ messages: [user("Hi")], tools: offered });
  expect(server.requests.map(({ body }) => strictness(body as Sent)[0])).toEqual([true, false, false, true, false]);
});

test("another refusal is not retried [providers.anthropic.strict-limits]", async () => {
  await using server = await modelServer(() => ({ faults: { error: { status: 400, message: "tools.0: no" } } }));
  const model = anthropic("claude-sonnet-4-5", { apiKey: "k", baseURL: server.baseURL("anthropic") });
  await expect(model.generate({ messages: [user("Hi")], tools: [strict("a", keys(1))] })).rejects.toMatchObject({
    status: 400,
  });
  expect(server.requests).toHaveLength(1);
});

test("thinking that no longer matches the content before it is dropped if the vendor refuses it, and the session remembers it [providers.anthropic.thinking-replay] [providers.anthropic.shown-thinking]", async () => {
  const message =
    'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".';
  await using server = await modelServer(({ raw }) =>
    JSON.stringify(raw).includes("drop_block") ? "ok" : { faults: { error: { status: 400, message } } },
  );
  const model = anthropic("claude-opus-5-5", { apiKey: "k", baseURL: server.baseURL("anthropic") });
  for (let index = 0; index < 2; index += 1) await model.generate({ messages: [user("Hi")], sessionId: "s1" });
  expect(server.requests.map(({ body }) => (body as Sent)["thinking"])).toEqual([
    { type: "adaptive", display: "summarized" },
    { type: "adaptive", display: "summarized", block_binding: { prefix_mismatch_behavior: "drop_block" } },
    { type: "adaptive", display: "summarized", block_binding: { prefix_mismatch_behavior: "drop_block" } },
  ]);
  expect(server.requests[1]?.headers["anthropic-beta"]).toBe("thinking-binding-controls-2026-08-01");
});

test("a union at the root of a tool's schema becomes an object that describes it [providers.rule.strict-schemas]", async () => {
  const union = {
    anyOf: [
      { type: "object", properties: { a: { type: "string" } } },
      { type: "object", properties: { b: { type: "string" } } },
    ],
  };
  const { bodies } = await asked([
    {
      tools: [
        { ...strict("either", union), strict: undefined },
        { ...strict("none", {}), strict: undefined },
      ],
    },
  ]);
  expect(bodies[0]?.["tools"]).toMatchObject([
    {
      input_schema: {
        type: "object",
        properties: { a: {}, b: {} },
        description: expect.stringContaining("anyOf") as string,
      },
    },
    { input_schema: { type: "object", properties: {} } },
  ]);
});
