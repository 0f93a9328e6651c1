import { expect, test } from "vitest";

import { isComplete } from "./complete-list.ts";

const rows = (length: number): readonly number[] => Array.from({ length }, () => 1);

test("a list whose length equals a number in the arguments may have been cut, as a number or as digits [grants.unique]", () => {
  expect(isComplete(rows(3), { limit: 3 })).toBe(false);
  expect(isComplete(rows(4), { limit: "3" })).toBe(false);
  expect(isComplete(rows(2), { limit: 3 })).toBe(true);
  expect(isComplete(rows(3), { limit: 0, offset: -1, name: "", note: "x", flag: true })).toBe(true);
  expect(isComplete(rows(3), undefined)).toBe(true);
  expect(isComplete([], {})).toBe(true);
});

test("each list inside an output has to be complete [grants.unique]", () => {
  expect(isComplete({ pages: [{ rows: rows(10) }] }, {})).toBe(false);
  expect(isComplete([[1], rows(10)], {})).toBe(false);
  expect(isComplete({ a: { next: "x" }, b: [1] }, {})).toBe(false);
  expect(isComplete({ a: "x", rows: rows(10) }, {})).toBe(false);
  expect(isComplete("text", {})).toBe(true);
  expect(isComplete(null, {})).toBe(true);
});

test("a member that announces further pages counts if it has a value [grants.unique]", () => {
  for (const value of [null, undefined, false, ""])
    expect(isComplete({ items: [1], cursor: value }, {}), JSON.stringify(value)).toBe(true);
  for (const value of ["x", true, 0, 7, {}])
    expect(isComplete({ items: [1], cursor: value }, {}), JSON.stringify(value)).toBe(false);
  expect(isComplete({ next: [10, 20] }, {})).toBe(false);
});
