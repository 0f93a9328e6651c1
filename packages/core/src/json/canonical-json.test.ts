import * as fc from "fast-check";
import { expect, test } from "vitest";

import { canonicalJson } from "./canonical-json.ts";

/** The same value with the keys of all its objects in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

test("the order of keys makes no difference at any depth, and the text is JSON of the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(reversed(value))).toBe(text);
    }),
  );
});

test("different values have different texts", () => {
  const values = [
    { a: { b: 1 } },
    { a: { b: 2 } },
    [1],
    ["1"],
    1n,
    1,
    "1",
    null,
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    new Map([["a", 1]]),
    new Map([["a", 2]]),
    new Set([1]),
    {},
    [],
    new Uint8Array([1]),
    new Uint8Array([2]),
    new Uint16Array([1]),
    { $canonical: "bigint", value: "1" },
    [undefined, 1],
    [null, 2],
  ];
  expect(new Set(values.map(canonicalJson)).size).toBe(values.length);
});

test("values that cannot be distinguished are refused: functions, symbols, cycles, opaque instances, endless nesting", () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  class Opaque {
    readonly #secret = 1;
    read(): number {
      return this.#secret;
    }
  }
  for (const value of [() => 1, Symbol("s"), cycle, new Opaque(), { a: [new Opaque()] }]) {
    expect(() => canonicalJson(value)).toThrow(expect.objectContaining({ code: "NOT_CANONICAL" }));
  }
  expect(canonicalJson(new Date(0))).toBe('"1970-01-01T00:00:00.000Z"');
});
