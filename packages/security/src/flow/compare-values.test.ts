import { expect, test } from "vitest";

import { dateOf, sameValue } from "./compare-values.ts";

test("[grants.by-value] two values that are no number are not the same number", () => {
  expect(sameValue(Number.NaN, "x")).toBe(false);
  expect(sameValue("x", Number.POSITIVE_INFINITY)).toBe(false);
});

test("[grants.by-value] a day that no calendar has is no date", () => {
  expect(dateOf("2026-13-45")).toBeUndefined();
  expect(sameValue("2026-13-45", "2026-14-45")).toBe(false);
});
