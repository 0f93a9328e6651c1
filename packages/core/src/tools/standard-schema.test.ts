import { Schema as EffectSchema } from "effect";
import { Type } from "typebox";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod3";

import { zod3 } from "../zod3.ts";
import { compileSchema } from "./standard-schema.ts";
import type { JsonSchema } from "../index.ts";
import { resolved } from "../registry/registry.fixture.ts";

const accepts = { ok: true, value: { city: "Ghent" } };

describe("schemas of every library [tool.field.input-schema] [feature:X115]", () => {
  const json = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const miniSchema = mini.object({ city: mini.string() });
  const effectSchema = EffectSchema.Struct({ city: EffectSchema.String });
  const kinds: [kind: string, inputSchema: object, inputJsonSchema?: object][] = [
    ["zod 4", z.object({ city: z.string() })],
    ["arktype", type({ city: "string" })],
    ["wrapped valibot", toStandardJsonSchema(v.object({ city: v.string() }))],
    ["wrapped zod 3", zod3(z3.object({ city: z3.string() }))],
    ["zod 3 with inputJsonSchema", z3.object({ city: z3.string() }), json],
    ["bare valibot with inputJsonSchema", v.object({ city: v.string() }), json],
    ["raw JSON Schema", json],
    ["TypeBox", Type.Object({ city: Type.String() })],
    ["zod/mini with inputJsonSchema", miniSchema, mini.toJSONSchema(miniSchema)],
    ["wrapped effect", EffectSchema.toStandardJSONSchemaV1(EffectSchema.toStandardSchemaV1(effectSchema))],
  ];
  test.each(kinds)("%s", async (_kind, inputSchema, inputJsonSchema) => {
    const tool = resolved({ inputSchema, inputJsonSchema });
    expect(tool.__inputJsonSchema).toMatchObject(json);
    expect(await tool.__validateInput({ city: "Ghent" })).toEqual(accepts);
    expect(await tool.__validateInput({ city: 5 })).toMatchObject({ ok: false, issues: [{ path: "city" }] });
  });
});

describe("the error for a schema that cannot be converted names the library and the wrapper [tool.field.input-schema.not-convertible]", () => {
  test.each([
    [z3.object({}), "zod", /zod3\(\)/u],
    [mini.object({}), "zod", /zod\/mini.*inputJsonSchema: z\.toJSONSchema\(schema\)/u],
    [EffectSchema.toStandardSchemaV1(EffectSchema.Struct({})), "effect", /toStandardJSONSchemaV1/u],
    [v.object({}), "valibot", /`toStandardJsonSchema\(\)` of @valibot\/to-json-schema/u],
    [z.object({ when: z.date() }), "zod", /Date cannot be represented/u],
    [z.object({ big: z.bigint() }), "zod", /look_up/u],
  ])("%#", (inputSchema, vendor, message) => {
    expect(() => resolved({ inputSchema })).toThrow(
      expect.objectContaining({ code: "SCHEMA_NOT_CONVERTIBLE", vendor }),
    );
    expect(() => resolved({ inputSchema })).toThrow(message);
  });
});

test("a bare effect schema is refused with the wrapper to use [tool.field.input-schema.not-convertible]", () => {
  expect(() => resolved({ inputSchema: EffectSchema.Struct({}) })).toThrow(/effect schema.*toStandardJSONSchemaV1/u);
});

test("schemas convert to draft 2020-12, else draft-07, by the input side [tool.field.input-schema.converted-once]", () => {
  const asked: string[] = [];
  const inputSchema = {
    "~standard": {
      version: 1,
      vendor: "old",
      validate: (value: unknown) => ({ value }),
      jsonSchema: {
        input: ({ target }: { target: string }) => {
          asked.push(target);
          if (target !== "draft-07") throw new Error("only draft-07");
          return { type: "object", title: target };
        },
        output: () => ({}),
      },
    },
  } as const;
  expect(resolved({ inputSchema }).__inputJsonSchema).toEqual({ type: "object", title: "draft-07" });
  expect(asked).toEqual(["draft-2020-12", "draft-07"]);
});

test("a synchronous schema answers at once, an asynchronous one with a promise [tool.field.input-schema.async]", async () => {
  expect(resolved().__validateInput({ id: "x" })).toEqual({ ok: true, value: { id: "x" } });
  const inputSchema = z.object({ id: z.string().refine(async (id) => id === "x", "no such id") });
  const answer = resolved({ inputSchema }).__validateInput({ id: "y" });
  expect(answer).toBeInstanceOf(Promise);
  expect(await answer).toEqual({ ok: false, issues: [{ path: "id", message: "no such id" }] });
});

test("the parsed output is used: transforms and defaults apply [tool.field.output-schema]", async () => {
  const outputSchema = z.object({ n: z.string().transform(Number), unit: z.string().default("EUR") });
  const tool = resolved({ outputSchema });
  expect(await tool.__validateOutput?.({ n: "5" })).toEqual({ ok: true, value: { n: 5, unit: "EUR" } });
  expect(resolved().__validateOutput).toBeUndefined();
});

test("arguments must be an object; raw JSON Schema is checked when it is registered", () => {
  expect(() => resolved({ inputSchema: z.string() })).toThrow(/arguments are always an object/u);
  expect(() => resolved({ inputSchema: { $ref: "https://schemas.example/a" } })).toThrow(/which is not in it/u);
  expect(() => resolved({ inputSchema: { type: "object" }, inputJsonSchema: {} })).toThrow(
    /leave `inputJsonSchema` out/u,
  );
  expect(() => compileSchema([], { what: "x" })).toThrow(/neither a Standard Schema/u);
});

test("raw JSON Schema reports every invalid leaf once, with its path", async () => {
  const { validate } = compileSchema(
    {
      type: "object",
      properties: { lines: { type: "array", items: { $ref: "#/$defs/line" } } },
      required: ["lines", "id"],
      $defs: { line: { type: "object", properties: { n: { type: "number" } }, additionalProperties: false } },
    },
    { what: "x" },
  );
  const result = await validate({ lines: [{ n: 1 }, { n: "2", extra: 1 }] });
  expect(result).toMatchObject({ ok: false });
  const paths = "issues" in result ? result.issues.map((issue) => issue.path) : [];
  expect(new Set(paths)).toEqual(new Set(["", "lines[1].n", "lines[1].extra"]));
  expect(paths).toHaveLength(3);
});

test("a pattern in an unsupported regex dialect does not disable a server's tool, and is logged", async () => {
  const { validate, notes, jsonSchema } = compileSchema(
    { type: "object", properties: { a: { type: "string", pattern: "(?P<x>y)" } } },
    { what: "The schema" },
  );
  expect(await validate({ a: "z" })).toMatchObject({ ok: true });
  expect(notes).toHaveLength(1);
  expect(JSON.stringify(jsonSchema)).toContain("(?P<x>y)");
});

test("transforms, coercions, defaults, pipes and codecs are converted by their input side [field-bug:PB-schema-07]", async () => {
  const inputSchema = z.object({
    t: z.string().transform((text) => text.length),
    p: z.preprocess((value) => value, z.number()),
    c: z.coerce.number(),
    d: z.string().default("x"),
    pipe: z.string().pipe(z.transform((text) => new Date(text))),
    codec: z.codec(z.iso.datetime(), z.date(), {
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString(),
    }),
  });
  const tool = resolved({ inputSchema });
  const { properties } = tool.__inputJsonSchema as { properties: Record<string, { type?: string }> };
  expect([properties["t"]?.type, properties["d"]?.type, properties["pipe"]?.type, properties["codec"]?.type]).toEqual([
    "string",
    "string",
    "string",
    "string",
  ]);
  const when = "2026-01-01T00:00:00.000Z";
  expect(await tool.__validateInput({ t: "abc", p: 1, c: "5", pipe: when, codec: when })).toEqual({
    ok: true,
    value: { t: 3, p: 1, c: 5, d: "x", pipe: new Date(when), codec: new Date(when) },
  });
});

test("a preprocessing schema is usable [field-bug:PB-schema-08]", async () => {
  const n = z.preprocess((value) => Number(value), z.number());
  const tool = resolved({ inputSchema: z.object({ n, size: z.string().default("M") }) });
  // The schema describes the input: a default makes a field optional.
  expect(tool.__inputJsonSchema).toMatchObject({ properties: { n: { type: "number" } }, required: ["n"] });
  expect(await tool.__validateInput({ n: "4" })).toEqual({ ok: true, value: { n: 4, size: "M" } });
});

test("a recursive schema converts; one that creates new schemas at each level is refused by name [field-bug:PB-schema-09]", async () => {
  interface Tree {
    readonly label: string;
    readonly children: readonly Tree[];
  }
  const endless: z.ZodType<Tree> = z.lazy(() =>
    z.object({
      label: z.string().describe("Label"),
      children: z.array(endless.describe("Child")).describe("Children"),
    }),
  );
  expect(() => resolved({ inputSchema: z.object({ root: endless.describe("Root") }) })).toThrow(
    /tool "look_up".*refers to itself.*getter/u,
  );
  const tree = z.object({
    label: z.string().describe("Label"),
    get children() {
      return z.array(tree).describe("Children");
    },
  });
  const tool = resolved({
    inputSchema: z.object({ root: tree.describe("Root") }),
    flow: { authority: ["root.children[].children[].label"] },
  });
  expect(JSON.stringify(tool.__inputJsonSchema)).toContain("$ref");
  const leaf = { label: "b", children: [] };
  expect(await tool.__validateInput({ root: { label: "a", children: [leaf] } })).toMatchObject({ ok: true });
});

test.each<readonly [JsonSchema, unknown, readonly string[]]>([
  [{ type: "object", properties: {}, additionalProperties: false }, { z: 1 }, ["z: is not allowed here"]],
  [{ type: "object", required: ["city"] }, {}, [`: "city" is missing`]],
  [{ properties: { n: { type: ["string", "null"] } } }, { n: 1 }, ["n: has to be string or null, not number"]],
  [{ properties: { n: { enum: ["a", "b"] } } }, { n: 1 }, [`n: has to be one of ["a","b"]`]],
  [{ properties: { n: { const: "." } } }, { n: 1 }, [`n: has to be "."`]],
  [
    { properties: { n: { anyOf: [{ const: 1 }, { type: "string" }] } } },
    { n: true },
    ["n: fits none of the alternatives", "n: has to be 1", "n: has to be string, not boolean"],
  ],
  [{ properties: { n: { minimum: 3 } } }, { n: 1 }, ["n: 1 is less than 3"]],
  [{ properties: { n: { format: "email" } } }, { n: "x" }, [`n: String does not match format "email"`]],
  [{ properties: { n: { not: {} } } }, { n: "x" }, ["n: is what the schema excludes"]],
])("the error of raw JSON Schema, %j, for %j says what to change", async (schema, value, told) => {
  const result = await compileSchema(schema, { what: "x" }).validate(value);
  expect("issues" in result ? result.issues.map(({ path, message }) => `${path}: ${message}`) : []).toEqual(told);
});
