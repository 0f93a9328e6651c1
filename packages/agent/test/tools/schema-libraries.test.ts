import { Type as OldType } from "@sinclair/typebox";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Schema as EffectSchema } from "effect";
import { Type } from "typebox";
import * as v from "valibot";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { zod3 } from "@bailiwick/core/zod3";
import { scriptedModel } from "@bailiwick/testing";
import * as mini from "zod/mini";
import { z as z3 } from "zod3";
import { z as z40 } from "zod40";
import * as mini40 from "zod40/mini";
import { z as z41 } from "zod41";
import { Agent, memoryStore, tool } from "../../src/index.ts";
import type { AgentOptions, ToolInput } from "../../src/index.ts";

const base = {
  name: "weather",
  description: "Reports the weather of a city.",
  sideEffectClass: "read-only",
  output: { integrity: "verified" },
} as const;
const json = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const execute = ({ city }: { readonly city: string }) => `sunny in ${city}`;
/** `execute` of a tool whose schema infers no type. */
const untyped = (input: unknown) => execute(input as { readonly city: string });

const schema40 = z40.object({ city: z40.string() });
const schema41 = z41.object({ city: z41.string() });
const miniSchema = mini.object({ city: mini.string() });
const mini40Schema = mini40.object({ city: mini40.string() });
const effectSchema = EffectSchema.Struct({ city: EffectSchema.String });

const tools = {
  "zod 4": tool({ ...base, inputSchema: z.object({ city: z.string() }), execute }),
  "zod 4.1": tool({ ...base, inputSchema: schema41, inputJsonSchema: z41.toJSONSchema(schema41), execute }),
  "zod 4.0": tool({ ...base, inputSchema: schema40, inputJsonSchema: z40.toJSONSchema(schema40), execute }),
  "zod 3": tool({ ...base, inputSchema: z3.object({ city: z3.string() }), inputJsonSchema: json, execute }),
  "wrapped zod 3": tool({ ...base, inputSchema: zod3(z3.object({ city: z3.string() })), execute }),
  "zod/mini": tool({ ...base, inputSchema: miniSchema, inputJsonSchema: mini.toJSONSchema(miniSchema), execute }),
  "zod/mini 4.0": tool({
    ...base,
    inputSchema: mini40Schema,
    inputJsonSchema: mini40.toJSONSchema(mini40Schema),
    execute,
  }),
  arktype: tool({ ...base, inputSchema: type({ city: "string" }), execute }),
  valibot: tool({ ...base, inputSchema: toStandardJsonSchema(v.object({ city: v.string() })), execute }),
  effect: tool({
    ...base,
    inputSchema: EffectSchema.toStandardJSONSchemaV1(EffectSchema.toStandardSchemaV1(effectSchema)),
    execute,
  }),
  TypeBox: tool({ ...base, inputSchema: Type.Object({ city: Type.String() }), execute: untyped }),
  "TypeBox 0.34": tool({ ...base, inputSchema: OldType.Object({ city: OldType.String() }), execute: untyped }),
};

test.each(Object.entries(tools))(
  "a schema of %s reaches the model as JSON Schema, and checks the arguments [tool.field.input-schema]",
  async (_library, weather) => {
    const ask = (city: unknown) => ({ toolCalls: [{ name: "weather", arguments: { city } }] });
    const model = scriptedModel([ask(5), ask("Ghent"), "Sunny."]);
    const used = [weather] as unknown as NonNullable<AgentOptions["tools"]>;
    const { toolCalls, text } = await new Agent({ name: "forecast", model, tools: used, store: memoryStore() }).run(
      "Is it sunny in Ghent?",
    );
    expect(model.requests[0]?.tools).toMatchObject([{ name: "weather", inputSchema: json }]);
    expect(toolCalls).toMatchObject([
      { isError: true, error: { kind: "invalid_input" } },
      { isError: false, output: "sunny in Ghent" },
    ]);
    expect(text).toBe("Sunny.");
  },
);

test.each([
  ["zod 3", z3.object({ city: z3.string() }), /wrap zod 3 with `zod3\(\)` of @bailiwick\/core\/zod3/u],
  ["zod 4.0", schema40, /zod` 4\.2 or newer.*zod 4\.0 or 4\.1.*inputJsonSchema/u],
  ["zod 4.1", schema41, /zod` 4\.2 or newer.*zod 4\.0 or 4\.1.*inputJsonSchema/u],
  ["zod/mini", miniSchema, /zod\/mini.*inputJsonSchema/u],
  ["valibot", v.object({ city: v.string() }), /toStandardJsonSchema/u],
])(
  "a schema of %s without its JSON Schema is refused with the form that works [tool.field.input-schema.not-convertible]",
  (_library, inputSchema, advice) => {
    const weather = tool({ ...base, inputSchema, execute: untyped });
    const make = () => new Agent({ name: "forecast", model: scriptedModel([]), tools: [weather] });
    expect(make).toThrow(expect.objectContaining({ code: "SCHEMA_NOT_CONVERTIBLE" }));
    expect(make).toThrow(advice);
  },
);

test("schemas from libraries with type inference give the input its type [tool.field.input-schema]", () => {
  interface City {
    city: string;
  }
  expectTypeOf<ToolInput<(typeof tools)["zod 4"]>>().toEqualTypeOf<City>();
  expectTypeOf<ToolInput<(typeof tools)["zod 4.1"]>>().toEqualTypeOf<City>();
  expectTypeOf<ToolInput<(typeof tools)["zod 4.0"]>>().toEqualTypeOf<City>();
  expectTypeOf<ToolInput<(typeof tools)["zod 3"]>>().toEqualTypeOf<City>();
  expectTypeOf<ToolInput<(typeof tools)["wrapped zod 3"]>>().toEqualTypeOf<City>();
  expectTypeOf<ToolInput<(typeof tools)["zod/mini"]>>().toEqualTypeOf<City>();
  expectTypeOf<ToolInput<(typeof tools)["zod/mini 4.0"]>>().toEqualTypeOf<City>();
  expectTypeOf<ToolInput<(typeof tools)["arktype"]>>().toEqualTypeOf<City>();
  expectTypeOf<ToolInput<(typeof tools)["valibot"]>>().toEqualTypeOf<City>();
  expectTypeOf<ToolInput<(typeof tools)["effect"]>>().toExtend<City>();
  expectTypeOf<ToolInput<(typeof tools)["TypeBox"]>>().toEqualTypeOf<unknown>();
});

test("a wrapped schema of zod 3 is the schema of an answer and of a tool's result, with its defaults and transforms [feature:X115]", async () => {
  const answer = zod3(
    z3.object({ city: z3.string().transform((city) => city.toUpperCase()), days: z3.number().int().default(1) }),
  );
  const model = scriptedModel([
    { toolCalls: [{ name: "weather", arguments: { city: " Ghent " } }] },
    '{"city":"ghent"}',
  ]);
  const weather = tool({
    ...base,
    inputSchema: zod3(z3.object({ city: z3.preprocess((city) => String(city).trim(), z3.string().min(1)) })),
    outputSchema: zod3(z3.object({ sky: z3.enum(["sunny", "grey"]), wind: z3.number().default(0) })),
    execute: ({ city }) => ({ sky: city === "Ghent" ? ("sunny" as const) : ("grey" as const) }),
  });
  const agent = new Agent({ name: "forecast", model, tools: [weather], output: answer, store: memoryStore() });
  const { structured, toolCalls } = await agent.run("Is it sunny in Ghent?");
  expectTypeOf(structured).toEqualTypeOf<{ city: string; days: number } | undefined>();
  expect(structured).toEqual({ city: "GHENT", days: 1 });
  expect(toolCalls[0]?.output).toEqual({ sky: "sunny", wind: 0 });
  expect(JSON.stringify(model.requests)).toContain('"days":{"type":"integer","default":1}');
});
