import { retryAfterMs } from "@bailiwick/core";
import { expect, test } from "vitest";

const now = Date.parse("2026-11-21T08:00:00Z");
const delay = (headers: Readonly<Record<string, string>>) => retryAfterMs((name) => headers[name], now);

test("[providers.rule.retry.delay] field-bug:PB-retry-01 the delay is read in each form that vendors use, and nonsense is none", () => {
  expect(delay({ "retry-after-ms": "250", "retry-after": "9" })).toBe(250);
  expect(delay({ "retry-after": "1" })).toBe(1000);
  expect(delay({ "retry-after": "1.5" })).toBe(1500);
  expect(delay({ "retry-after": "0" })).toBe(0);
  expect(delay({ "retry-after": "3600" })).toBe(3_600_000);
  expect(delay({ "retry-after": "Sat, 21 Nov 2026 08:00:05 GMT" })).toBe(5000);
  expect(delay({ "retry-after": "Sat, 21 Nov 2026 07:00:00 GMT" })).toBe(0);
  for (const nonsense of ["-5", "soon", "", " ", "NaN", "Infinity"])
    expect(delay({ "retry-after": nonsense })).toBeUndefined();
  expect(delay({ "retry-after-ms": "-1", "retry-after": "2" })).toBe(2000);
  expect(delay({})).toBeUndefined();
});
