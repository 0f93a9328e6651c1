import { expect, test } from "vitest";
import { ago, cost, duration } from "./format.ts";
import { timeScale } from "./parts/time-scale.ts";

test.each([
  [undefined, ""],
  [0, "free"],
  [0.00001, "< $0.0001"],
  [0.0034, "$0.0034"],
  [0.034, "$0.034"],
  [12.5, "$12.50"],
])("a cost of %s dollars is shown as %s", (usd, shown) => {
  expect(cost(usd)).toBe(shown);
});

test.each([
  [undefined, ""],
  [0, "0 ms"],
  [1_240, "1.2 s"],
  [61_000, "1 min 1 s"],
  [7_200_000, "2 h"],
  [119_700, "2 min"],
  [59_900, "1 min"],
  [2_000, "2 s"],
  [86_399_999, "1 d"],
  [172_800_000, "2 d"],
])("%s milliseconds are shown as %s", (ms, shown) => {
  expect(duration(ms)).toBe(shown);
});

test("a time is shown in its largest unit", () => {
  const now = Date.UTC(2026, 1, 1);
  const texts = [5_000, 300_000, 7_200_000, 259_200_000].map((before) => ago(now - before, now));
  expect(texts.map((text) => /\d+/u.exec(text)?.[0])).toEqual(["5", "5", "2", "3"]);
});

test("a wait of a day leaves the calls around it visible, in their order", () => {
  const day = 86_400_000;
  const spans = [
    { id: "1", kind: "model", startAt: 0, endAt: 1_000 },
    { id: "2", kind: "wait", startAt: 1_000, endAt: day },
    { id: "3", kind: "tool", startAt: day, endAt: day + 1_000 },
  ] as const;
  const { place, ticks } = timeScale(spans, day + 2_000);
  const [first, wait, last] = spans.map((span) => place(span as never));
  expect(first?.width).toBeGreaterThan(30);
  expect(last?.width).toBeGreaterThan(30);
  expect(wait?.width).toBeLessThan(20);
  expect(first?.left).toBe(0);
  expect(wait?.left).toBeLessThan(last?.left ?? 0);
  expect((last?.left ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(100);
  expect(ticks[0]).toEqual({ at: 0, left: 0 });
});

test("ticks are times that a person reads at a glance, in their order and apart", () => {
  for (const length of [17, 152, 314, 770, 9_400, 61_000, 5_400_000, 90_000_000]) {
    const spans = [{ kind: "tool", startAt: 0, endAt: length }] as const;
    const { ticks } = timeScale(spans, length + 1);
    expect(ticks.length).toBeGreaterThan(2);
    for (const [index, { at, left }] of ticks.entries()) {
      // 62 ms and 1 min 43 s are hard to read: a tick has one unit, and at most two non-zero digits.
      expect(duration(at)).toMatch(/^(?:0|[1-9]\d?0*)(?:\.\d)? (?:ms|s|min|h|d)$/u);
      if (index > 0) expect(left - (ticks[index - 1]?.left ?? 0)).toBeGreaterThanOrEqual(12);
    }
  }
});
