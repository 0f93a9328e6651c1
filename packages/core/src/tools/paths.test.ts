import * as fc from "fast-check";
import { expect, test } from "vitest";

import { isToolReturn } from "./tool-return.ts";
import { leavesOf, parsePath, valuesAt } from "./paths.ts";
import { toolReturn } from "../index.ts";

test("paths address members, items and names with dots", () => {
  const value = { a: { b: [{ c: 1 }, { c: 2 }, {}] }, "x.y": { z: 3 } };
  const at = (path: string): readonly unknown[] => valuesAt(value, parsePath(path));
  expect(at("a.b[].c")).toEqual([1, 2]);
  expect(at('["x.y"].z')).toEqual([3]);
  expect(at("a.nothing.c")).toEqual([]);
  expect(at("")).toEqual([value]);
  for (const bad of [".a", "a..b", "a[", "[x]", "a]", '["a'])
    expect(() => parsePath(bad)).toThrow(expect.objectContaining({ code: "INVALID_PATH" }));
});

test("every leaf is found by its path", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      for (const leaf of leavesOf(value)) expect(valuesAt(value, parsePath(leaf.path))).toContain(leaf.value);
    }),
  );
});

test("only toolReturn() creates a tool return [tool.return.brand]", () => {
  expect(isToolReturn(toolReturn({ output: 1, details: "d", endRun: true }))).toBe(true);
  for (const other of [{ output: 1 }, null, 5, { output: 1, contentParts: [] }])
    expect(isToolReturn(other)).toBe(false);
});
