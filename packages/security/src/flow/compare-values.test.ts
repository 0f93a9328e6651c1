import { expect, test } from "vitest";

import { dateOf, isWithinRange, numberOf, sameValue } from "./compare-values.ts";

test("two values that are not numbers are not equal numbers [grants.by-value]", () => {
  expect(sameValue(Number.NaN, "x")).toBe(false);
  expect(sameValue("x", Number.POSITIVE_INFINITY)).toBe(false);
});

test("a day that does not exist is not a date [grants.by-value]", () => {
  expect(dateOf("2026-13-45")).toBeUndefined();
  expect(sameValue("2026-13-45", "2026-14-45")).toBe(false);
});

test("numbers are equal by their digits, and dates by their time in any notation [grants.by-value]", () => {
  const same: readonly (readonly [unknown, unknown])[] = [
    [12, "12"],
    ["12.50", 12.5],
    [-3, "-3"],
    ["2026-03-01T10:00Z", "2026-03-01 10:00"],
    ["2026-03-01T12:00+02:00", "2026-03-01T10:00:00Z"],
    ["2026-03-01", "2026-03-01"],
  ];
  for (const [a, b] of same) expect(sameValue(a, b), `${String(a)} ${String(b)}`).toBe(true);
  const other: readonly (readonly [unknown, unknown])[] = [
    [12, "012"],
    ["12", "12.0"],
    [12, "12 "],
    [0, ""],
    [0, null],
    [1, true],
    [7, [7]],
    ["x", 7],
    ["2026-03-01", "2026-03-01T00:00:00Z"],
    ["2026-03-01T10:00Z", "2026-03-01T11:00Z"],
    ["2026-03-01", "x"],
    ["x", "2026-03-01"],
    ["2026-03-01T12:00+02:00", "2026-03-01T12:00Z"],
  ];
  for (const [a, b] of other) expect(sameValue(a, b), `${String(a)} ${String(b)}`).toBe(false);
});

test("text that is not a number has no value, and neither has a list of digits [grants.by-value]", () => {
  expect([numberOf(Number.POSITIVE_INFINITY), numberOf(["7"]), numberOf(null), numberOf("7")]).toEqual([
    undefined,
    undefined,
    undefined,
    7,
  ]);
  expect([dateOf(["2026-03-01"]), dateOf(20_260_301), dateOf("1 March 2026")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("a range includes both ends, a last day ends at midnight, and kinds do not mix [grants.within]", () => {
  const inside: readonly (readonly [unknown, readonly [unknown, unknown]])[] = [
    [1, [1, 3]],
    [3, [1, 3]],
    ["2", [1, 3]],
    ["2026-03-01", ["2026-03-01", "2026-03-02"]],
    ["2026-03-02T23:59:59Z", ["2026-03-01", "2026-03-02"]],
    ["2026-03-02T10:00Z", ["2026-03-01", "2026-03-02T10:00Z"]],
  ];
  for (const [value, range] of inside) expect(isWithinRange(value, range), JSON.stringify([value, range])).toBe(true);
  const outside: readonly (readonly [unknown, readonly [unknown, unknown]])[] = [
    [0, [1, 3]],
    [4, [1, 3]],
    [1_234_567_891, [1, 1_234_567_890]],
    ["1234567891", [1, "1234567890"]],
    ["2026-02-28", ["2026-03-01", "2026-03-02"]],
    ["2026-03-03", ["2026-03-01", "2026-03-02"]],
    ["2026-03-02T10:01Z", ["2026-03-01", "2026-03-02T10:00Z"]],
    [2, ["x", 3]],
    [2, [1, "x"]],
    ["x", [1, 3]],
    ["2026-03-01", [1, 1e15]],
    [2, ["1970-01-01", 3]],
    [2, [1, "2026-03-01"]],
  ];
  for (const [value, range] of outside) expect(isWithinRange(value, range), JSON.stringify([value, range])).toBe(false);
});
