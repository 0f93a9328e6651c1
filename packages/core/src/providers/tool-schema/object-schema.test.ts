import { Validator } from "@cfworker/json-schema";
import { objectSchema, type JsonSchema } from "@bailiwick/core/provider";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const accepts = (schema: JsonSchema, value: unknown): boolean =>
  new Validator(schema, "2020-12", false).validate(value).valid;

const names = fc.constantFrom("kind", "id", "size", "tags");
const leaf: fc.Arbitrary<JsonSchema> = fc.constantFrom<JsonSchema>(
  { type: "string" },
  { type: "integer" },
  { const: "a" },
  { const: "b" },
  { enum: ["b", "c", 1] },
  { type: "array", items: { type: "string" } },
  { type: ["string", "null"] },
  { anyOf: [{ type: "string" }, { type: "integer" }] },
  { $ref: "#/$defs/Id" },
);
const object: fc.Arbitrary<JsonSchema> = fc
  .record({
    properties: fc.dictionary(names, leaf, { maxKeys: 3 }),
    required: fc.uniqueArray(names, { maxLength: 2 }),
    closed: fc.boolean(),
  })
  .map(({ properties, required, closed }) => ({
    type: "object",
    properties,
    required,
    ...(closed ? { additionalProperties: false } : {}),
  }));
const branch: fc.Arbitrary<JsonSchema> = fc.oneof(
  object,
  fc.uniqueArray(names, { minLength: 1, maxLength: 2 }).map((required) => ({ required })),
  fc.constant<JsonSchema>({ $ref: "#/$defs/Shape" }),
  fc.constant<JsonSchema>({ type: "null" }),
);
const branches = fc.array(branch, { minLength: 1, maxLength: 3 });
const unions = fc.oneof(
  fc.record({ anyOf: branches }),
  fc.record({ oneOf: branches }),
  fc.record({ allOf: branches }),
  fc.record({ anyOf: branches, allOf: branches }),
  fc.constant({ $ref: "#/$defs/Shape" }),
);
const root: fc.Arbitrary<JsonSchema> = fc
  .tuple(fc.option(object, { nil: {} }), unions, object)
  .map(([base, union, shape]) => ({ ...base, ...union, $defs: { Id: { type: "string" }, Shape: shape } }));

const allNames = ["kind", "id", "size", "tags"];
const objects = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? (value as JsonSchema[]) : []);

/** Keys that a schema names itself, outside the alternatives of a union. */
function named(schema: JsonSchema, all: JsonSchema): readonly string[] {
  const referred = schema["$ref"] === undefined ? [] : named((all["$defs"] as { Shape: JsonSchema }).Shape, all);
  const own = Object.keys(schema["properties"] ?? {});
  return [...own, ...referred, ...objects(schema["allOf"]).flatMap((part) => named(part, all))];
}

/** The schema, with each variant of its unions closed to keys that only another variant names. */
function byVariant(schema: JsonSchema): JsonSchema {
  const base = named(schema, schema);
  const closed = (variant: JsonSchema): JsonSchema => {
    const known = new Set([...base, ...named(variant, schema)]);
    const foreign = allNames.filter((name) => !known.has(name)).map((name) => [name, false]);
    return { allOf: [variant, { properties: Object.fromEntries(foreign) as JsonSchema }] };
  };
  const unions = ["anyOf", "oneOf"].filter((name) => name in schema);
  return { ...schema, ...Object.fromEntries(unions.map((name) => [name, objects(schema[name]).map(closed)])) };
}

const value = fc.dictionary(names, fc.constantFrom<unknown>("a", "b", "c", 1, null, ["x"]), { maxKeys: 4 });

test("a folded schema accepts every name of a variant of the tool's own schema [providers.rule.tool-schemas]", () => {
  let taken = 0;
  fc.assert(
    fc.property(root, fc.array(value, { minLength: 1, maxLength: 12 }), (schema, values) => {
      const folded = objectSchema(schema);
      expect(folded["type"]).toBe("object");
      expect(["anyOf", "oneOf", "allOf", "$ref", "enum", "const", "not"].filter((name) => name in folded)).toEqual([]);
      const variants = byVariant(schema);
      for (const one of values.filter((candidate) => accepts(variants, candidate))) {
        taken += 1;
        expect([folded, one, accepts(folded, one)]).toEqual([folded, one, true]);
      }
    }),
    { numRuns: 1500 },
  );
  expect(taken).toBeGreaterThan(200);
});

test("A discriminated union keeps all its variants as one enum, and requires the fields that each variant requires [providers.rule.tool-schemas]", () => {
  const action = (kind: string, own: object) => ({
    type: "object",
    properties: { kind: { const: kind }, ...own },
    required: ["kind", ...Object.keys(own)],
  });
  const schema = {
    oneOf: [action("open", { url: { type: "string" } }), action("close", { tab: { type: "integer" } })],
  };
  expect(objectSchema(schema)).toMatchObject({
    type: "object",
    properties: { kind: { enum: ["open", "close"] }, url: { type: "string" }, tab: { type: "integer" } },
    required: ["kind"],
    description: expect.stringContaining("oneOf") as string,
  });
});

test("Schemas of older drafts and other dialects become valid JSON Schema [providers.rule.tool-schemas]", () => {
  expect(
    objectSchema({
      $schema: "http://json-schema.org/draft-04/schema#",
      type: "OBJECT",
      properties: {
        count: { type: "int", minimum: 0, exclusiveMinimum: true, required: true },
        pair: { type: "array", items: [{ type: "string" }, { type: "bool" }] },
        open: { type: "any", description: 7 },
        gone: { $ref: "#/definitions/Gone" },
        same: { enum: [] },
        type: "object",
      },
      required: "count",
    }),
  ).toEqual({
    type: "object",
    properties: {
      count: { type: "integer", exclusiveMinimum: 0 },
      pair: { type: "array", prefixItems: [{ type: "string" }, { type: "boolean" }] },
      open: {},
      gone: {},
      same: {},
      type: {},
    },
    required: ["count"],
  });
  for (const none of [undefined, null, true, [], "x", { type: "string" }]) {
    expect(objectSchema(none)).toEqual({ type: "object", properties: {} });
  }
});
