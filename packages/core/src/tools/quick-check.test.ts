import { Validator } from "@cfworker/json-schema";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { quickCheck } from "./quick-check.ts";

const names = fc.constantFrom("a", "b", "c", "__proto__", "toString");
const primitive = fc.oneof(fc.constantFrom("", "x", "yy", 0, 1, 2.5, -3, true, false, null), fc.integer());

const flat = {
  type: fc.oneof(typeName(), fc.array(typeName(), { minLength: 1, maxLength: 2 })),
  enum: fc.array(primitive, { minLength: 1, maxLength: 3 }),
  const: primitive,
  minimum: fc.integer({ min: -3, max: 3 }),
  maximum: fc.integer({ min: -3, max: 3 }),
  minItems: fc.nat(2),
  maxItems: fc.nat(2),
  required: fc.uniqueArray(names, { maxLength: 2 }),
  description: fc.constant("words"),
  minLength: fc.nat(2),
};

/** Schemas with known keywords, and sometimes an unknown one. */
function schemas(depth: number): fc.Arbitrary<Record<string, unknown>> {
  const inner = depth === 0 ? fc.constant({}) : schemas(depth - 1);
  const nested = {
    properties: fc.dictionary(names, inner, { maxKeys: 2 }),
    additionalProperties: fc.oneof(fc.boolean(), inner),
    items: inner,
    anyOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
  };
  const keyword = fc.oneof(
    ...Object.entries(depth === 0 ? flat : { ...flat, ...nested }).map(([name, content]) =>
      fc.tuple(fc.constant(name), content as fc.Arbitrary<unknown>),
    ),
  );
  return fc.array(keyword, { maxLength: 3 }).map((entries) => Object.fromEntries(entries));
}

function typeName(): fc.Arbitrary<string> {
  return fc.constantFrom("string", "number", "integer", "boolean", "null", "array", "object");
}

const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    primitive,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(names, tie("value"), { maxKeys: 3 }),
  ),
})).value;

test("a value that the quick check accepts is valid for the validator, for every schema [tool.field.input-schema]", () => {
  let sure = 0;
  fc.assert(
    fc.property(schemas(2), value, (given, tried) => {
      const check = quickCheck(given);
      if (check?.(tried) !== true) return;
      sure += 1;
      expect(new Validator(structuredClone(given), "2020-12", false).validate(tried).valid).toBe(true);
    }),
    { numRuns: 3_000 },
  );
  expect(sure).toBeGreaterThan(100);
});

const order = {
  type: "object",
  description: "An order.",
  properties: {
    id: { type: "string" },
    lines: { type: "array", items: { type: "integer", minimum: 1 }, maxItems: 3 },
    state: { enum: ["open", "sent"] },
    note: { anyOf: [{ type: "string" }, { type: "null" }] },
  },
  required: ["id"],
  additionalProperties: false,
};

test("the quick check handles usual arguments, and accepts no invalid ones", () => {
  const check = quickCheck(order);
  expect(check?.({ id: "o1", lines: [1, 2], state: "open", note: null })).toBe(true);
  for (const wrong of [{}, { id: 1 }, { id: "o1", lines: [0] }, { id: "o1", more: 1 }, { id: "o1", note: 1 }, [], "o1"])
    expect(check?.(wrong)).toBe(false);
});

test("the quick check leaves unknown keywords, values that are not JSON, and objects of a class to the validator", () => {
  expect(quickCheck({ type: "string", minLength: 1 })).toBeUndefined();
  expect(quickCheck({ $ref: "#/$defs/a", $defs: { a: {} } })).toBeUndefined();
  expect(quickCheck({ enum: [{ a: 1 }] })).toBeUndefined();
  expect(quickCheck({})?.(undefined)).toBe(false);
  expect(quickCheck({ type: "object" })?.(new Date())).toBe(false);
});
