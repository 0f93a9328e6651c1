import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod3";
import { compileJsonSchema } from "./tools/json-schema-validator.ts";
import { toJsonSchema, type SchemaSide } from "./tools/standard-schema.ts";
import type { Schema } from "./index.ts";
import { zod3 } from "./zod3.ts";

const jsonOf = (schema: Schema, side: SchemaSide = "input") => toJsonSchema(zod3(schema), side, "It");

const colours = { red: "r", blue: "b" } as const;

const { schema: anySchema } = fc.letrec<{ schema: z.ZodTypeAny }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<z.ZodTypeAny>(
      z.string(),
      z.string().min(1).max(3),
      z.string().startsWith("a.").includes("b"),
      z
        .string()
        .regex(/^[ab]+$/u)
        .endsWith("b"),
      z.number(),
      z.number().int().min(1).lt(4),
      z.number().multipleOf(2),
      z.boolean(),
      z.null(),
      z.literal("a.b"),
      z.literal(2),
      z.enum(["a", "b"]),
      z.nativeEnum(colours),
      // The form of a numeric enum in TypeScript.
      z.nativeEnum({ zero: 0, one: 1, 0: "zero", 1: "one" }),
      z.unknown(),
      z.never(),
    ),
    tie("schema").map((inner) => inner.nullable()),
    tie("schema").map((inner) => inner.brand("id").readonly()),
    tie("schema").map((inner) => inner.pipe(inner)),
    tie("schema").map((inner) => z.array(inner).min(1).max(2)),
    tie("schema").map((inner) => z.array(inner).length(1)),
    tie("schema").map((inner) => z.record(inner)),
    fc.tuple(tie("schema"), tie("schema")).map(([a, b]) => z.tuple([a, b])),
    fc.tuple(tie("schema"), tie("schema")).map(([a, b]) => z.tuple([a]).rest(b)),
    fc.tuple(tie("schema"), tie("schema")).map(([a, b]) => z.union([a, b])),
    fc.tuple(tie("schema"), tie("schema")).map(([a, b]) => z.object({ a, b: b.optional() }).strict()),
    fc.tuple(tie("schema"), tie("schema")).map(([a, b]) => z.object({ a }).catchall(b)),
    tie("schema").map((a) => z.object({ a: a.refine(() => true) }).passthrough()),
  ),
}));

const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>("", "a", "b", "a.b", "ab", "r", "long text", 0, 1, 2, 2.5, 4, true, false, null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 2 }),
  ),
}));

test("the JSON Schema of a schema of zod 3 accepts the values that zod accepts [feature:X115]", async () => {
  const seen = { accepted: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(anySchema, fc.array(anyValue, { minLength: 1, maxLength: 8 }), async (schema, values) => {
      const { validate } = compileJsonSchema(jsonOf(schema), "It");
      for (const value of values) {
        const accepted = schema.safeParse(value).success;
        expect([value, (await validate(value)).ok]).toEqual([value, accepted]);
        seen[accepted ? "accepted" : "refused"] += 1;
      }
    }),
    { numRuns: 2_000 },
  );
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(200);
});

test("the input side allows fields to be omitted as the model may, the output side has the schema's results [feature:X115]", () => {
  const schema = z.object({ days: z.number().default(1).describe("Days to look ahead."), sky: z.string().optional() });
  const days = { type: "number", default: 1, description: "Days to look ahead." };
  const properties = { days, sky: { type: "string" } };
  expect(jsonOf(schema)).toEqual({ type: "object", properties, additionalProperties: false });
  expect(jsonOf(schema, "output")).toEqual({
    type: "object",
    properties,
    required: ["days"],
    additionalProperties: false,
  });
});

test("a schema of zod 3 that refers to itself becomes a definition, and its root stays an object [feature:X115]", async () => {
  interface Part {
    readonly name: string;
    readonly parts: readonly Part[];
  }
  const part: z.ZodType<Part> = z.object({ name: z.string(), parts: z.lazy(() => part.array()) });
  const definition = {
    type: "object",
    properties: { name: { type: "string" }, parts: { type: "array", items: { $ref: "#/$defs/schema1" } } },
    required: ["name", "parts"],
    additionalProperties: false,
  };
  expect(jsonOf(part)).toEqual({ ...definition, $defs: { schema1: definition } });
  const { validate } = compileJsonSchema(jsonOf(z.object({ part })), "It");
  const nested = (name: unknown) => ({ part: { name: "a", parts: [{ name, parts: [] }] } });
  expect([await validate(nested("b")), await validate(nested(2))]).toMatchObject([{ ok: true }, { ok: false }]);
});

test("formats of zod 3 are formats of JSON Schema [feature:X115]", () => {
  expect(jsonOf(z.string().email())).toEqual({ type: "string", format: "email" });
  expect(jsonOf(z.string().datetime())).toEqual({ type: "string", format: "date-time" });
  expect(jsonOf(z.string().uuid())).toEqual({ type: "string", format: "uuid" });
});

test.each([
  ["a date", z.object({ at: z.date() }), "input", /ZodDate cannot be represented/u],
  ["a set", z.set(z.string()), "input", /ZodSet cannot be represented/u],
  ["the result of a transform", z.string().transform(Number), "output", /transform cannot be represented/u],
] as const)("%s of zod 3 is refused, with what to do [feature:X115]", (_what, schema, side, message) => {
  expect(() => jsonOf(schema, side)).toThrow(expect.objectContaining({ code: "SCHEMA_NOT_CONVERTIBLE" }));
  expect(() => jsonOf(schema, side)).toThrow(message);
});
