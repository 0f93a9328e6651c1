import { expect, test } from "vitest";

import { leavesOf, valuesAt } from "./leaves.ts";
import { isWithin, items, normalPath, segment, stepsOf } from "./paths.ts";

test("the leaves of a value are everything except objects and lists, plus empty ones [flow.r3]", () => {
  const value = { a: 1, b: { c: null, "d.e": "x" }, f: [[], [true, { g: {} }]], "": 2 };
  expect(leavesOf(value)).toEqual([
    { path: "a", location: "a", value: 1 },
    { path: "b.c", location: "b.c", value: null },
    { path: 'b["d.e"]', location: 'b["d.e"]', value: "x" },
    { path: "f[]", location: "f[0]", value: [] },
    { path: "f[][]", location: "f[1][0]", value: true },
    { path: "f[][].g", location: "f[1][1].g", value: {} },
    { path: '[""]', location: '[""]', value: 2 },
  ]);
  expect(leavesOf("x")).toEqual([{ path: "", location: "", value: "x" }]);
  expect(leavesOf({})).toEqual([{ path: "", location: "", value: {} }]);
});

test("a path is parsed as written, and an unparsable one is not a path [grants.shape]", () => {
  expect(stepsOf("a.b")).toEqual(["a", "b"]);
  expect(stepsOf("a[].b[0]")).toEqual(["a", items, "b", items]);
  expect(stepsOf('["a.b"].c["\\"]"]')).toEqual(["a.b", "c", '"]']);
  expect(stepsOf("")).toEqual([]);
  expect(stepsOf("[]")).toEqual([items]);
  for (const wrong of ["a..b", "a.", "a[x]", 'a["b]', "a]b", "a[0", "a b[ ]"])
    expect(stepsOf(wrong), wrong).toBeUndefined();
  expect(normalPath('["a"][3].b')).toBe("a[].b");
  expect(normalPath("a..b")).toBe("a..b");
  for (const key of ["", "a.b", "a[", "a]", 'a"'] as const) expect(stepsOf(segment("p", key)), key).toEqual(["p", key]);
  expect([segment("", "a"), segment("p", "a"), segment("", "a.b")]).toEqual(["a", "p.a", '["a.b"]']);
});

test("a path is inside another only at whole segments [grants.exact-arguments]", () => {
  const within: readonly (readonly [string, string, boolean])[] = [
    ["a", "a", true],
    ["a.b", "a", true],
    ["a[].b", "a", true],
    ['a["b.c"]', "a", true],
    ["ab", "a", false],
    ["a", "a.b", false],
    ["b.a", "a", false],
    ["a", "", true],
    ["", "", true],
    ["[]", "", true],
  ];
  for (const [path, ancestor, expected] of within)
    expect(isWithin(path, ancestor), `${path} in ${ancestor}`).toBe(expected);
});

test("the values at a path are returned with their items, without inherited properties [grants.ref]", () => {
  const at = (value: unknown, path: string): unknown => valuesAt(value, stepsOf(path) ?? []);
  const [one, two] = [
    { id: 1, tags: ["x"] },
    { id: 2, tags: [] },
  ];
  const value = { list: [one, two], name: "n", none: null };
  expect(at(value, "name")).toEqual([{ value: "n", item: value }]);
  expect(at(value, "list[].id")).toEqual([
    { value: 1, item: one },
    { value: 2, item: two },
  ]);
  expect(at(value, "list[].tags[]")).toEqual([{ value: "x", item: "x" }]);
  expect(at([1, 2], "[]")).toEqual([
    { value: 1, item: 1 },
    { value: 2, item: 2 },
  ]);
  expect(at(value, "")).toEqual([{ value, item: value }]);
  for (const missing of ["other", "toString", "name.x", "none.x", "name[]", "list.length", "list.id", "a.toString"])
    expect(at(value, missing), missing).toEqual([]);
  for (const holder of [null, "text", [1], 5]) expect(at(holder, "length"), String(holder)).toEqual([]);
  expect(at({ a: { b: 1 } }, "a.toString")).toEqual([]);
});
