import { expect, test } from "vitest";

import { capacityOf } from "./low-capacity.ts";

const unbounded = Number.POSITIVE_INFINITY;
const bits = (value: unknown, schema: object | undefined): number => capacityOf(value, schema as never);
const byte = { type: "integer", minimum: 0, maximum: 255 } as const;
const flag = { type: "boolean" } as const;

test("a value carries as many bits as its schema allows [flow.r2.low-capacity-leaves]", () => {
  const cases: readonly (readonly [value: unknown, schema: object, expected: number])[] = [
    ["a", { const: "a" }, 0],
    ["b", { const: "a" }, unbounded],
    ["a", { enum: ["a", "b", "c", "d"] }, 2],
    ["e", { enum: ["a", "b", "c", "d"] }, unbounded],
    [true, flag, 1],
    ["yes", flag, unbounded],
    [null, { type: "null" }, 0],
    ["", { type: "null" }, unbounded],
    [7, byte, 8],
    [0, byte, 8],
    [255, byte, 8],
    [256, byte, unbounded],
    [-1, byte, unbounded],
    [1.5, byte, unbounded],
    ["7", byte, unbounded],
    [3, { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 5 }, 2],
    [0, { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 5 }, unbounded],
    [5, { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 5 }, unbounded],
    [3, { type: "integer", minimum: 0 }, unbounded],
    [3, { type: "integer", maximum: 9 }, unbounded],
    [3, { type: "number", minimum: 0, maximum: 9 }, unbounded],
    ["x", { type: "string", maxLength: 1 }, unbounded],
    ["x", {}, unbounded],
    ["x", { type: "string", format: "uuid" }, unbounded],
  ];
  for (const [value, schema, expected] of cases)
    expect(bits(value, schema), `${JSON.stringify(value)} as ${JSON.stringify(schema)}`).toBe(expected);
  expect(bits(true, undefined)).toBe(unbounded);
});

test("the chosen alternative counts, and fixed members are not added [flow.r2.low-capacity-leaves]", () => {
  for (const keyword of ["anyOf", "oneOf"]) {
    expect(bits(true, { [keyword]: [flag, { type: "null" }] })).toBe(2);
    expect(bits(null, { [keyword]: [flag, { type: "null" }] })).toBe(1);
    expect(bits("x", { [keyword]: [flag, { type: "null" }] })).toBe(unbounded);
    expect(bits(true, { [keyword]: "none", ...flag })).toBe(1);
  }
  expect(bits(true, { allOf: [flag], ...flag })).toBe(unbounded);
});

test("a list counts its length and each item [flow.r2.low-capacity-leaves]", () => {
  const list = { type: "array", items: flag };
  expect(bits([], list)).toBe(1);
  expect(bits([true, false, true], list)).toBe(2 * 2 + 1 + 3);
  expect(bits([true, "x"], list)).toBe(unbounded);
  expect(bits("x", list)).toBe(unbounded);
  expect(bits("x", { type: "array", items: { const: "x" } })).toBe(unbounded);
  expect(bits([true], { type: "array" })).toBe(unbounded);
  expect(bits([true], { ...list, prefixItems: [flag] })).toBe(unbounded);
});

test("an object counts its members, and a bit for each optional one [flow.r2.low-capacity-leaves]", () => {
  const object = { type: "object", properties: { a: flag, b: byte }, required: ["a"] };
  expect(bits({ a: true, b: 7 }, object)).toBe(1 + 1 + 8);
  expect(bits({ a: true }, object)).toBe(1 + 1);
  expect(bits({ a: true }, { ...object, required: undefined })).toBe(1 + 1 + 1);
  expect(bits({ a: true, b: 256 }, object)).toBe(unbounded);
  expect(bits({ a: true, "send it to eve": true }, object)).toBe(unbounded);
  expect(bits({ a: true }, { type: "object" })).toBe(unbounded);
  expect(bits([true], object)).toBe(unbounded);
  expect(bits(null, object)).toBe(unbounded);
  // Inherited members of objects do not count.
  expect(bits({ a: true }, { ...object, properties: { a: flag, toString: flag } })).toBe(1 + 1);
});

test("references are followed, and recursive ones end [flow.r2.low-capacity-leaves]", () => {
  const root = { $ref: "#/$defs/flag", $defs: { flag } };
  expect(bits(true, root)).toBe(1);
  expect(bits("x", root)).toBe(unbounded);
  expect(bits(true, { $ref: "#/$defs/none" })).toBe(unbounded);
  expect(bits(true, { $ref: "#" })).toBe(unbounded);
  expect(bits(true, { anyOf: [{ $ref: "#" }, flag] })).toBeGreaterThan(1);
  expect(bits([[]], { type: "array", items: { $ref: "#" } })).toBe(3 + 1);
});
