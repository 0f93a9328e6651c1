import { apiError, retryAfterMs } from "@bailiwick/core/provider";
import { expect, test } from "vitest";

const now = Date.parse("2026-11-21T08:00:00Z");
const delay = (headers: Readonly<Record<string, string>>) => retryAfterMs((name) => headers[name], now);

test("the retry delay is read in each vendor's form, and an invalid one is ignored [providers.rule.retry.delay] [field-bug:PB-retry-01]", () => {
  expect(delay({ "retry-after-ms": "250", "retry-after": "9" })).toBe(250);
  expect(delay({ "retry-after": "1" })).toBe(1000);
  expect(delay({ "retry-after": "1.5" })).toBe(1500);
  expect(delay({ "retry-after": "0" })).toBe(0);
  expect(delay({ "retry-after": "3600" })).toBe(3_600_000);
  expect(delay({ "retry-after": "Sat, 21 Nov 2026 08:00:05 GMT" })).toBe(5000);
  // One of the clocks is wrong: the own delay holds.
  expect(delay({ "retry-after": "Sat, 21 Nov 2026 07:00:00 GMT" })).toBeUndefined();
  expect(delay({ "retry-after": "Sat, 21 Nov 2026 08:00:00 GMT" })).toBeUndefined();
  for (const nonsense of ["-5", "soon", "", " ", "NaN", "Infinity"])
    expect(delay({ "retry-after": nonsense })).toBeUndefined();
  expect(delay({ "retry-after-ms": "-1", "retry-after": "2" })).toBe(2000);
  expect(delay({})).toBeUndefined();
});

const limited = (message: string, headers: Readonly<Record<string, string>> = {}, status = 429) =>
  apiError({ provider: "p", model: "m", status, message, headers: new Headers(headers) });

test("a delay in a rate limit's text is respected; a header has precedence [providers.rule.retry.told-delay]", () => {
  const told: Readonly<Record<string, number | undefined>> = {
    "Rate limit reached for gpt-5.5. Please try again in 1.898s. Visit the site.": 1898,
    "Rate limit reached. Please try again in 28ms.": 28,
    "Limit 100000, Used 99000. Please try again in 7m12.5s.": 432_500,
    "Please try again in 1h2m3s": 3_723_000,
    "Rate limit is exceeded. Try again in 5 seconds.": 5000,
    "Please retry after 1 minute and 20 seconds.": 80_000,
    "You exceeded the limit. Please retry in 34.07s.": 34_070,
    "Please try again in a moment.": undefined,
    "Please try again later.": undefined,
  };
  for (const [sentence, delayMs] of Object.entries(told)) {
    expect([sentence, limited(sentence).retryAfterMs]).toEqual([sentence, delayMs]);
  }
  expect(limited("Please try again in 9s.", { "retry-after": "2" }).retryAfterMs).toBe(2000);
  expect(limited("Please try again in 9s.", {}, 400).retryAfterMs).toBeUndefined();
});

test("without a demanded delay, the reset of the limit that is used up counts [providers.rule.retry.reset]", () => {
  const soon = new Date(Date.now() + 60_000).toISOString();
  const seconds = (headers: Readonly<Record<string, string>>, status = 429) => {
    const delayMs = limited("Slow down.", headers, status).retryAfterMs;
    return delayMs === undefined ? undefined : Math.round(delayMs / 1000);
  };
  const spent = { "x-ratelimit-remaining-requests": "0", "x-ratelimit-remaining-tokens": "900" };
  const resets = { "x-ratelimit-reset-requests": "2s", "x-ratelimit-reset-tokens": "6m0s" };
  expect(seconds({ ...resets, ...spent })).toBe(2);
  expect(seconds({ ...resets, ...spent, "x-ratelimit-remaining-tokens": "0" })).toBe(360);
  expect(seconds(resets)).toBe(2);
  expect(seconds({ "x-ratelimit-reset-tokens": "1m2.5s" })).toBe(63);
  expect(seconds({ "x-ratelimit-reset-tokens": "7.66" })).toBe(8);
  expect(seconds({ "x-ratelimit-reset": String(Date.now() + 60_000), "x-ratelimit-remaining": "0" })).toBe(60);
  expect(seconds({ "x-ratelimit-reset": String(Math.ceil(Date.now() / 1000) + 60) })).toBeGreaterThanOrEqual(60);
  expect(seconds({ "anthropic-ratelimit-tokens-reset": soon, "anthropic-ratelimit-tokens-remaining": "0" })).toBe(60);
  expect(seconds({ "anthropic-ratelimit-tokens-reset": soon, "anthropic-ratelimit-tokens-remaining": "9" })).toBe(
    undefined,
  );
  for (const past of ["0s", "-1", "soon", "Sat, 21 Nov 2020 08:00:05 GMT", String(Date.now() - 9_000)])
    expect(seconds({ "x-ratelimit-reset-requests": past })).toBeUndefined();
  expect(seconds({ ...resets, ...spent, "retry-after": "5" })).toBe(5);
  expect(seconds({ ...resets, ...spent }, 500)).toBeUndefined();
});

test("x-should-retry decides, except for failures that a retry cannot repair [providers.rule.retry.vendors-word]", () => {
  const word = (status: number, should: string, message = "No.") =>
    limited(message, { "x-should-retry": should }, status);
  expect(word(498, "").retryable).toBe(true);
  expect([word(429, "false").retryable, word(503, "false").retryable, word(400, "true").retryable]).toEqual([
    false,
    false,
    true,
  ]);
  expect([word(401, "true").retryable, word(404, "true").retryable, word(402, "true").retryable]).toEqual([
    false,
    false,
    false,
  ]);
  expect([word(400, "true", "prompt is too long").retryable, word(400, "maybe").retryable]).toEqual([false, false]);
});
