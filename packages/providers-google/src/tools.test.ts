import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { type FunctionToolDefinition } from "@bailiwick/core";
import { jsonAt } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ended } from "./answers.fixture.ts";
import { asked, look, user, warned } from "./ask.fixture.ts";
import {
  codeExecution,
  enterpriseWebSearch,
  fileSearch,
  google,
  googleMaps,
  googleSearch,
  mcp,
  retrieval,
  urlContext,
} from "./index.ts";
import { listAt, replaying, whole, type Sent } from "./replay.fixture.ts";

const inputSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    kind: { const: "order" },
    const: { type: "string", const: "a" },
    id: { anyOf: [{ type: "string" }, { type: "null" }] },
    size: { type: ["integer", "null"], exclusiveMinimum: 0 },
    level: { enum: [1, 2] },
    lines: { type: "array", items: { $ref: "#/$defs/line" } },
    tags: { type: "object", additionalProperties: { type: "string" } },
  },
  required: ["kind"],
  additionalProperties: false,
  $defs: { line: { type: "object", properties: { sku: { const: 7 } } } },
};
const order: FunctionToolDefinition = { type: "function", name: "order", description: "Orders.", inputSchema };
const declared = (body: unknown) => jsonAt(body, "tools", 0, "functionDeclarations", 0) as Record<string, unknown>;

describe("schemas", () => {
  test("tools are sent as JSON Schema: constants as enums, without the dialect, otherwise unchanged [providers.google.json-schema]", async () => {
    const { bodies } = await asked("gemini-2.5-flash", [{ tools: [order] }]);
    expect(declared(bodies[0])["parameters"]).toBeUndefined();
    expect(declared(bodies[0])["parametersJsonSchema"]).toEqual({
      type: "object",
      properties: {
        ...inputSchema.properties,
        kind: { enum: ["order"] },
        const: { type: "string", enum: ["a"] },
      },
      required: ["kind"],
      additionalProperties: false,
      $defs: { line: { type: "object", properties: { sku: { enum: [7] } } } },
    });
  });

  test("an old backend gets Google's subset of OpenAPI, with a description of what it cannot express [providers.google.json-schema] [field-bug:PB-schema-11]", async () => {
    const { bodies, answers } = await asked("gemini-2.5-flash", [{ tools: [order] }], { openApiSchemas: true });
    expect(declared(bodies[0])["parametersJsonSchema"]).toBeUndefined();
    expect(declared(bodies[0])["parameters"]).toEqual({
      type: "object",
      properties: {
        kind: { type: "string", enum: ["order"] },
        const: { type: "string", enum: ["a"] },
        id: { type: "string", nullable: true },
        size: { type: "integer", nullable: true },
        level: { type: "number", description: "One of: 1, 2." },
        lines: {
          type: "array",
          items: { type: "object", properties: { sku: { type: "number", description: "One of: 7." } } },
        },
        tags: { type: "object" },
      },
      required: ["kind"],
    });
    expect(warned(answers[0])).toEqual(["schema_simplified: schema"]);
    expect(answers[0]?.warnings[0]?.message).toContain("exclusiveMinimum");
  });

  test("an old backend gets the keys of an object beside another type, and no union that only requires keys [providers.google.json-schema]", async () => {
    const keys = { properties: { a: { type: "string" } }, required: ["a"] };
    const inputSchema = {
      type: "object",
      properties: {
        mixed: { type: ["object", "string"], ...keys },
        either: { type: "object", ...keys, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
        count: { type: "integer", format: "uint32" },
      },
    };
    const { bodies } = await asked("gemini-2.5-flash", [{ tools: [{ ...order, inputSchema }] }], {
      openApiSchemas: true,
    });
    expect(jsonAt(declared(bodies[0]), "parameters", "properties")).toEqual({
      mixed: { anyOf: [{ type: "object", ...keys }, { type: "string" }] },
      either: { type: "object", ...keys },
      count: { type: "integer" },
    });
  });

  test("mutually recursive schemas keep their references, and are cut after two levels for an old backend [providers.google.json-schema] [field-bug:PB-schema-10]", async () => {
    const child = (name: string) => ({ type: "array", items: { $ref: `#/$defs/${name}` } });
    const family = {
      type: "object",
      properties: { root: { $ref: "#/$defs/a" } },
      $defs: {
        a: { type: "object", properties: { name: { type: "string" }, one: child("b"), two: child("b") } },
        b: { type: "object", properties: { one: child("a"), two: child("a"), three: child("a") } },
      },
    };
    const tools = [{ ...order, inputSchema: family }];
    const { bodies } = await asked("gemini-2.5-flash", [{ tools }]);
    expect(declared(bodies[0])["parametersJsonSchema"]).toEqual(family);
    const old = await asked("gemini-2.5-flash", [{ tools }], { openApiSchemas: true });
    expect(old.answers[0]?.warnings[0]?.message).toContain("$ref");
    const below = (schema: unknown, ...names: readonly string[]) =>
      jsonAt(schema, ...names.flatMap((name) => ["properties", name, "items"]));
    const root = jsonAt(declared(old.bodies[0]), "parameters", "properties", "root");
    expect(jsonAt(below(root, "one", "two"), "properties", "name")).toEqual({ type: "string" });
    expect(below(root, "one", "two", "one", "three")).toEqual({ type: "object" });
  });
});

test("any two names map to different valid names, and back [providers.rule.tool-names]", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.stringMatching(/^[\w.:/ -]{1,80}$/), { minLength: 2, maxLength: 5 }),
      async (names) => {
        await using server = await modelServer(({ tools }) => ({
          toolCalls: tools.map(({ name }) => ({ name })),
        }));
        const model = google("gemini-2.5-flash", { apiKey: "k", baseURL: server.baseURL("google") });
        const tools = names.map((name): FunctionToolDefinition => ({ ...order, name }));
        const { message } = await model.generate({ messages: [user("Hi")], tools });
        expect(message.toolCalls.map(({ name }) => name)).toEqual(names);
      },
    ),
    { numRuns: 30, examples: [[["1st", "_1st", "a.b", "a_b"]]] },
  );
});

test("tool choice is sent as a mode; strict tools are validated if the model can [providers.contract] [tool.field.strict]", async () => {
  const strict = { ...order, strict: true };
  const tools = [look, order];
  const { bodies, answers } = await asked("gemini-3-pro", [
    { tools },
    { tools, toolChoice: "auto" },
    { tools, toolChoice: "none" },
    { tools, toolChoice: "required" },
    { tools, toolChoice: { toolName: "order" } },
    { tools: [look, strict] },
    { toolChoice: "required" },
  ]);
  expect(bodies.map((body) => jsonAt(body, "toolConfig", "functionCallingConfig"))).toEqual([
    undefined,
    undefined,
    { mode: "NONE" },
    { mode: "ANY" },
    { mode: "ANY", allowedFunctionNames: ["order"] },
    { mode: "VALIDATED" },
    undefined,
  ]);
  expect(answers.flatMap(warned)).toEqual([]);
  const old = await asked("gemini-2.0-flash", [{ tools: [strict] }]);
  expect(jsonAt(old.bodies[0], "toolConfig")).toBeUndefined();
  expect(warned(old.answers[0])).toEqual(["strict_unavailable: strict"]);
});

describe("hosted tools", () => {
  const all = [
    [googleSearch(), "googleSearch", "read-only"],
    [urlContext(), "urlContext", "read-only"],
    [codeExecution(), "codeExecution", "side-effecting"],
    [googleMaps(), "googleMaps", "read-only"],
    [fileSearch({ fileSearchStoreNames: ["fileSearchStores/a"] }), "fileSearch", "read-only"],
    [enterpriseWebSearch(), "enterpriseWebSearch", "read-only"],
    [retrieval({ vertexAiSearch: { datastore: "d" } }), "retrieval", "read-only"],
    [mcp({ name: "crm", streamableHttpTransport: { url: "https://x.example" } }), "mcpServers", "external-stateful"],
  ] as const;

  test("each hosted tool declares its effect, and is sent under its own key [providers.contract]", async () => {
    for (const [tool, key, sideEffectClass] of all) {
      expect([tool.provider, tool.sideEffectClass]).toEqual(["google", sideEffectClass]);
      const { bodies } = await asked("gemini-2.5-flash", [{ tools: [tool] }]);
      expect(bodies[0]?.["tools"]).toEqual([tool.args]);
      expect(Object.keys(tool.args)).toEqual([key]);
    }
  });

  test("hosted tools are combined with functions from Gemini 3 on; otherwise they are left out with a warning [providers.rule.warnings]", async () => {
    const tools = [look, googleSearch()];
    const third = await asked("gemini-3-pro", [{ tools }]);
    expect(listAt(third.bodies[0], "tools")).toHaveLength(2);
    expect(third.bodies[0]?.["toolConfig"]).toEqual({ includeServerSideToolInvocations: true });
    expect(third.answers.flatMap(warned)).toEqual([]);
    const second = await asked("gemini-2.5-flash", [{ tools }, { tools: [{ ...googleSearch(), provider: "openai" }] }]);
    expect(listAt(second.bodies[0], "tools")).toHaveLength(1);
    expect(second.answers.map(warned)).toEqual([
      ["unsupported_tool: google_search"],
      ["unsupported_tool: google_search"],
    ]);
    const sent: Sent[] = [];
    const vertex = replaying("gemini-3-pro", whole(ended("STOP", [{ text: "ok" }])), {}, sent, { vertexai: true });
    const { warnings } = await vertex.generate({ messages: [user("Hi")], tools });
    expect(warnings.map(({ code }) => code)).toEqual(["unsupported_tool"]);
    expect(listAt(sent[0]?.body, "tools")).toHaveLength(1);
  });

  test("a hosted tool cannot be forced, and a model without function calling is offered none [providers.rule.warnings]", async () => {
    const { bodies, answers } = await asked("gemini-3-pro", [
      { tools: [look, googleSearch()], toolChoice: { toolName: "google_search" } },
    ]);
    expect(jsonAt(bodies[0], "toolConfig", "functionCallingConfig")).toBeUndefined();
    expect(warned(answers[0])).toEqual(["unsupported_setting: toolChoice"]);
    const gemma = await asked("gemma-3-27b-it", [{ tools: [look] }]);
    expect(gemma.bodies[0]?.["tools"]).toBeUndefined();
    expect(warned(gemma.answers[0])).toEqual(["unsupported_tool: tools"]);
  });
});

test("a long conversation is sent with the same first bytes [providers.rule.caching]", async () => {
  const sent: Sent[] = [];
  const model = replaying("gemini-3-pro", whole(ended("STOP", [{ text: "ok" }])), {}, sent);
  const messages = [user("One"), user("Two")];
  for (let length = 1; length <= 2; length += 1) {
    const history = compileHistory(messages.slice(0, length), historyTarget(model));
    await model.generate({ messages: history.messages, tools: [order, look] });
  }
  const [first, second] = sent.map(({ body }) => JSON.stringify({ ...body, contents: undefined }));
  expect(first).toBe(second);
  expect(listAt(sent[1]?.body, "contents")[0]).toEqual(listAt(sent[0]?.body, "contents")[0]);
});
