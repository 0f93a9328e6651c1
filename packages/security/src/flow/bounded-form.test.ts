import type { JsonSchema } from "@bailiwick/core";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { boundedForm, sum } from "./bounded-form.ts";

/** Small schemas with all their values, as JSON. */
const known: fc.Arbitrary<{ readonly schema: JsonSchema; readonly values: readonly string[] }> = fc
  .letrec<{
    form: { readonly schema: JsonSchema; readonly values: readonly string[] };
  }>((tie) => {
    const scalar = fc.oneof(
      fc.constant({ schema: { type: "boolean" }, values: ["true", "false"] }),
      fc.constant({ schema: { type: "null" }, values: ["null"] }),
      fc.constant({ schema: { const: "x" }, values: ['"x"'] }),
      fc
        .uniqueArray(fc.oneof(fc.string({ maxLength: 3 }), fc.integer({ min: 0, max: 9 })), {
          minLength: 1,
          maxLength: 3,
        })
        .map((each) => ({ schema: { enum: [...each, ...each] }, values: each.map((one) => JSON.stringify(one)) })),
      fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 0, max: 3 })).map(([low, more]) => ({
        schema: { type: "integer", minimum: low, exclusiveMaximum: low + more + 1 },
        values: Array.from({ length: more + 1 }, (_, index) => String(low + index)),
      })),
    );
    const list = fc
      .tuple(tie("form"), fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 1 }))
      .map(([item, least, more]) => ({
        schema: { type: "array", items: item.schema, minItems: least, maxItems: least + more },
        values: lists(item.values, least + more)
          .filter((each) => each.length >= least)
          .map((each) => `[${each.join(",")}]`),
      }));
    const object = fc.tuple(tie("form"), tie("form"), fc.boolean()).map(([a, b, optional]) => ({
      schema: {
        type: "object",
        properties: { a: a.schema, b: b.schema },
        required: optional ? ["a"] : ["a", "b"],
      },
      values: a.values.flatMap((one) => [
        ...(optional ? [`{"a":${one}}`] : []),
        ...b.values.map((two) => `{"a":${one},"b":${two}}`),
      ]),
    }));
    return { form: fc.oneof({ maxDepth: 2 }, scalar, list, object) };
  })
  .form.filter(({ values }) => values.length <= 300);

function lists(items: readonly string[], most: number): readonly (readonly string[])[] {
  let longest: (readonly string[])[] = [[]];
  const all = [...longest];
  for (let length = 1; length <= most; length += 1) {
    longest = longest.flatMap((each) => items.map((item) => [...each, item]));
    all.push(...longest);
  }
  return all;
}

test("a form has as many values as its bits allow, and accepts each of them [quarantine.extract]", () => {
  fc.assert(
    fc.property(known, ({ schema, values }) => {
      const form = boundedForm(schema);
      expect(2 ** form.bits).toBeCloseTo(new Set(values).size, 6);
      for (const value of values) expect(JSON.stringify(form.read(JSON.parse(value))?.value)).toBe(value);
      // The text for the reading model has the same form.
      expect(boundedForm(form.schema).bits).toBeCloseTo(form.bits, 9);
    }),
  );
});

test("for any answer, the result is one of the form's values [quarantine.extract]", () => {
  fc.assert(
    fc.property(known, fc.jsonValue(), fc.nat(), ({ schema, values }, anything, at) => {
      const form = boundedForm(schema);
      const allowed = new Set(values);
      const near = JSON.parse(values[at % values.length] ?? "null") as unknown;
      const turned = isObject(near) ? Object.fromEntries(Object.entries(near).toReversed()) : near;
      const more = isObject(near) ? { ...near, extra: 1 } : [near];
      for (const answer of [anything, near, turned, more, -0, 1.5, 2 ** 60, undefined]) {
        const read = form.read(answer);
        if (read !== undefined) expect(allowed).toContain(JSON.stringify(read.value));
      }
      expect(form.read(turned) === undefined).toBe(false);
      if (isObject(near)) expect(form.read(more)).toBeUndefined();
    }),
  );
});

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

test("equal alternatives are one form [quarantine.extract]", () => {
  const either = boundedForm({ anyOf: [{ type: "boolean" }, { enum: ["a", "b"] }] });
  expect(either.bits).toBe(2);
  expect(["a", true, 1].map((answer) => either.read(answer)?.value)).toEqual(["a", true, undefined]);
  const several = boundedForm({ type: ["integer", "null"], minimum: 1, maximum: 7, description: "How many?" });
  expect(several.bits).toBe(3);
  expect([7, null, 8].map((answer) => several.read(answer)?.value)).toEqual([7, null, undefined]);
  expect(several.schema).toEqual({
    anyOf: [{ type: "integer", minimum: 1, maximum: 7 }, { type: "null" }],
    description: "How many?",
  });
  expect(boundedForm({ type: "boolean", description: 7 }).schema).toStrictEqual({ type: "boolean" });
  expect(boundedForm({ const: 1 }).schema).toEqual({ enum: [1] });
  expect(boundedForm({ type: "array", items: { type: "null" }, maxItems: 64 }).bits).toBeCloseTo(Math.log2(65), 9);
  const loose = boundedForm({ type: "object", properties: { a: { type: "boolean" } }, required: "a" });
  expect(2 ** loose.bits).toBeCloseTo(3, 9);
  expect([{ a: true }, {}, { a: 1 }].map((answer) => loose.read(answer)?.value)).toEqual([{ a: true }, {}, undefined]);
  expect(sum([0, 0, 1])).toBe(2);
  expect(sum([2_000, 2_000])).toBe(2_001);
});

test.each<readonly [string, unknown]>([
  ["is not JSON Schema object", "boolean"],
  ["is free text", { type: "string", maxLength: 3 }],
  ["is an open number", { type: "number", minimum: 0, maximum: 1 }],
  ["has no type", {}],
  ["whole numbers in order", { type: "integer", minimum: 0 }],
  ["whole numbers in order", { type: "integer", minimum: 3, maximum: 2 }],
  ["whole numbers in order", { type: "integer", minimum: 0.5, maximum: 2 }],
  ['has "multipleOf"', { type: "integer", minimum: 0, maximum: 8, multipleOf: 2 }],
  ['has "pattern"', { enum: ["a"], pattern: "a" }],
  ["has an empty enum", { enum: [] }],
  ["may list texts", { enum: [{}] }],
  ['without "maxItems"', { type: "array", items: { type: "boolean" } }],
  ['without "maxItems"', { type: "array", items: { type: "boolean" }, maxItems: 65 }],
  ['has "uniqueItems"', { type: "array", items: { type: "null" }, maxItems: 2, uniqueItems: true }],
  ['has "patternProperties"', { type: "object", properties: {}, patternProperties: {} }],
  ['without "maxItems"', { type: "array", items: { type: "null" }, minItems: 3, maxItems: 2 }],
  ['without "maxItems"', { type: "array", items: { type: "null" }, minItems: -1, maxItems: 2 }],
  ['without "maxItems"', { type: "array", items: { type: "null" }, maxItems: 1.5 }],
  ["whole numbers in order", { type: "integer", minimum: 0, exclusiveMaximum: "9" }],
  ["whole numbers in order", { type: "integer", exclusiveMinimum: null, maximum: 2 }],
  ["at [] is free text", { type: "array", items: { type: "string" }, maxItems: 2 }],
  ['without "properties"', { type: "object" }],
  ["is open", { type: "object", properties: {}, additionalProperties: true }],
  [
    "at a.b is free text",
    { type: "object", properties: { a: { type: "object", properties: { b: { type: "string" } } } } },
  ],
  ["has an empty choice", { anyOf: [] }],
  ["has an empty choice", { type: [] }],
  ['has "type"', { anyOf: [{ type: "null" }], type: "boolean" }],
  ["is free text", { type: ["string", "null"] }],
  ['has "oneOf"', { type: "boolean", oneOf: [] }],
])("a schema that bounds nothing is refused: %s [quarantine.extract]", (problem, schema) => {
  expect(() => boundedForm(schema)).toThrow(problem);
});

test("an endlessly nested schema is refused [quarantine.extract]", () => {
  const nested = (levels: number): JsonSchema =>
    levels === 0 ? { type: "boolean" } : { type: "array", items: nested(levels - 1), maxItems: 1 };
  expect(() => boundedForm(nested(16))).not.toThrow();
  for (const levels of [17, 20]) expect(() => boundedForm(nested(levels))).toThrow("nested deeper");
});

test("a list has exactly as many items as its form [quarantine.extract]", () => {
  const form = boundedForm({ type: "array", items: { type: "boolean" }, minItems: 1, maxItems: 2 });
  expect([[], [true], [true, false], [true, false, true]].map((answer) => form.read(answer)?.value)).toEqual([
    undefined,
    [true],
    [true, false],
    undefined,
  ]);
});

test("an integer lies within its bounds [quarantine.extract]", () => {
  const form = boundedForm({ type: "integer", minimum: 2, maximum: 4 });
  expect([1, 2, 3.5, 4, 5, "3"].map((answer) => form.read(answer)?.value)).toEqual([
    undefined,
    2,
    undefined,
    4,
    undefined,
    undefined,
  ]);
});
