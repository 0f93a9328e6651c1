import { type } from "arktype";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { expectTypeOf, test } from "vitest";
import { Schema as EffectSchema } from "effect";
import { Type } from "typebox";
import { z } from "zod";
import * as mini from "zod/mini";

import { clientTool, sandboxedTool, tool, toolReturn } from "../index.ts";
import type { ResolveToolCalls, RunOutput, Tool, ToolExecutionContext, ToolInput, ToolOutput } from "../index.ts";

const refund = tool({
  name: "refund",
  description: "Refunds an order.",
  inputSchema: z.object({
    orderId: z.string(),
    amount: z.coerce.number(),
    lines: z.array(z.object({ sku: z.string() })).default([]),
  }),
  sideEffectClass: "external-stateful",
  needsApproval: ({ amount }) => amount > 100,
  idempotencyKey: ({ orderId, amount }) => `refund:${orderId}:${amount.toFixed(2)}`,
  flow: { authority: ["orderId", "lines[].sku"], readers: ({ orderId }) => [`order:${orderId}`] },
  execute: async ({ orderId, amount, lines }) => ({ refunded: amount, orderId, count: lines.length }),
  toModelOutput: (output, input) => `${output.refunded} for ${input.orderId}`,
});

test("a tool's name is literal, its input parsed, its output inferred", () => {
  expectTypeOf(refund.name).toEqualTypeOf<"refund">();
  expectTypeOf<ToolInput<typeof refund>>().toEqualTypeOf<{
    orderId: string;
    amount: number;
    lines: { sku: string }[];
  }>();
  expectTypeOf<ToolOutput<typeof refund>>().toEqualTypeOf<{ refunded: number; orderId: string; count: number }>();
});

test("every typed tool is assignable to Tool", () => {
  expectTypeOf(refund).toExtend<Tool>();
  const tools: readonly Tool[] = [refund];
  expectTypeOf(tools).toEqualTypeOf<readonly Tool[]>();
});

test("with an outputSchema, execute returns the schema's input and the output is the parsed value", () => {
  const parsed = tool({
    name: "status",
    description: "Tells the status.",
    inputSchema: z.object({}),
    outputSchema: z.object({ state: z.enum(["open", "shut"]), at: z.string().transform((text) => new Date(text)) }),
    execute: async () => ({ state: "open", at: "2026-01-01" }),
    toModelOutput: ({ at }) => at.toISOString(),
    output: { integrity: "untrusted", fields: { state: { integrity: "verified" } } },
  });
  expectTypeOf<ToolOutput<typeof parsed>>().toEqualTypeOf<{ state: "open" | "shut"; at: Date }>();
  tool({
    name: "status",
    description: "Tells the status.",
    inputSchema: z.object({}),
    // @ts-expect-error: execute returns something else than the schema takes.
    outputSchema: z.object({ state: z.string() }),
    execute: async () => ({ state: 5 }),
  });
});

test("toolReturn() is opened, and a plain object with an output is not", () => {
  const branded = tool({
    name: "a",
    description: "a",
    inputSchema: z.object({}),
    execute: async () => toolReturn({ output: { n: 1 } }),
  });
  expectTypeOf<ToolOutput<typeof branded>>().toEqualTypeOf<{ n: number }>();
  const plain = tool({
    name: "a",
    description: "a",
    inputSchema: z.object({}),
    execute: async () => ({ output: 5, details: "x" }),
  });
  expectTypeOf<ToolOutput<typeof plain>>().toEqualTypeOf<{ output: number; details: string }>();
  const either = tool({
    name: "a",
    description: "a",
    inputSchema: z.object({ x: z.boolean() }),
    outputSchema: z.object({ n: z.number() }),
    execute: async ({ x }) => (x ? toolReturn({ output: { n: 1 }, endRun: true }) : { n: 2 }),
  });
  expectTypeOf<ToolOutput<typeof either>>().toEqualTypeOf<{ n: number }>();
});

test("a streaming tool that returns nothing has a text", () => {
  const stream = tool({
    name: "a",
    description: "a",
    inputSchema: z.object({}),
    streamingHint: true,
    execute: async (_input, ctx) => {
      ctx.streamContent("x");
    },
  });
  expectTypeOf<ToolOutput<typeof stream>>().toEqualTypeOf<string>();
});

test("schemas of other libraries infer, raw JSON Schema is unknown", () => {
  const ark = tool({
    name: "a",
    description: "a",
    inputSchema: type({ city: "string" }),
    execute: ({ city }) => city.length,
  });
  expectTypeOf<ToolInput<typeof ark>>().toEqualTypeOf<{ city: string }>();
  const vali = tool({
    name: "a",
    description: "a",
    inputSchema: toStandardJsonSchema(v.object({ city: v.string() })),
    execute: ({ city }) => city.length,
  });
  expectTypeOf<ToolInput<typeof vali>>().toEqualTypeOf<{ city: string }>();
  const raw = tool({
    name: "a",
    description: "a",
    inputSchema: { type: "object" },
    execute: (input) => {
      expectTypeOf(input).toEqualTypeOf<unknown>();
      return 1;
    },
  });
  expectTypeOf(raw).toExtend<Tool>();
});

test("dependencies come from the context's annotation and reach the phantom", () => {
  const withDb = tool({
    name: "a",
    description: "a",
    inputSchema: z.object({ id: z.string() }),
    execute: async ({ id }, ctx: ToolExecutionContext<{ readonly db: Map<string, number> }>) =>
      ctx.dependencies.db.get(id) ?? 0,
  });
  expectTypeOf<NonNullable<(typeof withDb)["~tool"]>["dependencies"]>().toEqualTypeOf<{
    readonly db: Map<string, number>;
  }>();
  expectTypeOf(withDb).toExtend<Tool>();
});

test("paths are typed from the input, [tool.field.output] fields from the output [tool.field.flow]", () => {
  tool({
    name: "a",
    description: "a",
    inputSchema: z.object({ to: z.string() }),
    // @ts-expect-error: no such argument.
    flow: { authority: ["too"] },
    execute: async () => ({ id: "x" }),
  });
  tool({
    name: "a",
    description: "a",
    inputSchema: z.object({ to: z.string() }),
    // @ts-expect-error: no such field.
    output: { fields: { idd: { integrity: "verified" } } },
    execute: async () => ({ id: "x" }),
  });
});

test("a closure with a sandbox does not compile, a module entry does [tool.field.sandbox-policy.closure-refused]", () => {
  tool({
    name: "a",
    description: "a",
    inputSchema: z.object({}),
    // @ts-expect-error: a closure cannot leave this process.
    sandboxPolicy: "wasm",
    execute: async () => 1,
  });
  const module = sandboxedTool({
    name: "render",
    description: "Renders.",
    inputSchema: z.object({ template: z.string() }),
    outputSchema: z.object({ html: z.string() }),
    sandboxPolicy: "wasm",
    needsApproval: ({ template }) => template.length > 100,
    execute: { module: new URL("file:///render.js"), export: "render" },
  });
  expectTypeOf<ToolOutput<typeof module>>().toEqualTypeOf<{ html: string }>();
  sandboxedTool({
    name: "render",
    description: "Renders.",
    inputSchema: z.object({}),
    sandboxPolicy: "wasm",
    // @ts-expect-error: a sandboxed tool is a module entry.
    execute: async () => 1,
  });
});

test("closed vocabularies and streamingHint: true are compile errors otherwise", () => {
  const base = { name: "a", description: "a", inputSchema: z.object({}), execute: async () => 1 } as const;
  // @ts-expect-error: not a class.
  tool({ ...base, sideEffectClass: "writes" });
  // @ts-expect-error: true or absent.
  tool({ ...base, streamingHint: false });
});

test("RunOutput.toolCalls is a union on toolName, then on isError", () => {
  const find = tool({
    name: "find",
    description: "Finds.",
    inputSchema: z.object({ q: z.string() }),
    execute: async ({ q }) => [q],
  });
  type Call = RunOutput<readonly [typeof refund, typeof find]>["toolCalls"][number];
  expectTypeOf<Call>().toEqualTypeOf<ResolveToolCalls<readonly [typeof refund, typeof find]>>();
  const read = (call: Call): unknown => {
    if (call.toolName === "find" && !call.isError) {
      expectTypeOf(call.input).toEqualTypeOf<{ q: string }>();
      expectTypeOf(call.output).toEqualTypeOf<string[]>();
    }
    if (call.toolName === "refund" && call.isError) {
      expectTypeOf(call.input).toEqualTypeOf<unknown>();
      expectTypeOf(call.error.message).toEqualTypeOf<string>();
    }
    return call;
  };
  expectTypeOf(read).toBeFunction();
});

test("schemas of zod/mini, TypeBox and effect are accepted; those with type inference give the input its type", () => {
  const miniSchema = mini.object({ city: mini.string() });
  const common = { name: "weather", description: "Tells the weather.", execute: () => "sunny" };
  const fromMini = tool({ ...common, inputSchema: miniSchema, inputJsonSchema: mini.toJSONSchema(miniSchema) });
  expectTypeOf<ToolInput<typeof fromMini>>().toEqualTypeOf<{ city: string }>();
  const effectSchema = EffectSchema.Struct({ city: EffectSchema.String });
  const fromEffect = tool({
    ...common,
    inputSchema: EffectSchema.toStandardJSONSchemaV1(EffectSchema.toStandardSchemaV1(effectSchema)),
  });
  expectTypeOf<ToolInput<typeof fromEffect>>().toExtend<{ readonly city: string }>();
  const fromTypeBox = tool({ ...common, inputSchema: Type.Object({ city: Type.String() }) });
  expectTypeOf<ToolInput<typeof fromTypeBox>>().toEqualTypeOf<unknown>();
});

const pickFile = clientTool({
  name: "pick_file",
  description: "Lets the user pick a file.",
  inputSchema: z.object({ accept: z.string(), most: z.coerce.number() }),
  outputSchema: z.object({ fileName: z.string() }),
  needsApproval: ({ most }) => most > 1,
  flow: { payload: ["accept"] },
  output: { fields: { fileName: { integrity: "verified" } } },
  toModelOutput: ({ fileName }, { accept }) => `${fileName} (${accept})`,
});

test("a client tool's name is literal, its input parsed, its output that of its schema", () => {
  expectTypeOf(pickFile.name).toEqualTypeOf<"pick_file">();
  expectTypeOf<ToolInput<typeof pickFile>>().toEqualTypeOf<{ accept: string; most: number }>();
  expectTypeOf<ToolOutput<typeof pickFile>>().toEqualTypeOf<{ fileName: string }>();
  expectTypeOf(pickFile).toExtend<Tool>();
  const open = clientTool({ name: "a", description: "a", inputSchema: { type: "object" } });
  expectTypeOf<ToolOutput<typeof open>>().toEqualTypeOf<unknown>();
});

test("a client tool accepts no field for code that runs on the server", () => {
  const base = { description: "a", inputSchema: z.object({}) };
  // @ts-expect-error the client runs it
  clientTool({ ...base, name: "a", execute: () => 1 });
  // @ts-expect-error the client runs it
  clientTool({ ...base, name: "a", idempotencyKey: "call" });
  // @ts-expect-error a tool of this process has a function
  tool({ ...base, name: "a" });
});
