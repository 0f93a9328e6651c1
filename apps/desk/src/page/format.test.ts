import { expect, test } from "vitest";
import { cost, countHidden, shortId } from "./format.ts";

test("what is in a text and not on the screen is counted, and nothing else", () => {
  expect(countHidden("Grüße 👋, مرحبا, こんにちは\n\t– “quoted”")).toBe(0);
  // Zero-width, of no width, turning, a tag, and a variation selector that stands for a byte.
  for (const character of ["\u200b", "\u2060", "\u202e", "\u{e0041}", "\u{e0141}"])
    expect([character, countHidden(`a${character}b${character}`)]).toEqual([character, 2]);
});

test.each([
  [null, "unknown"],
  [undefined, "unknown"],
  [0, "free"],
  [0.00001, "under $0.0001"],
  [0.0034, "$0.0034"],
  [0.034, "$0.03"],
  [12.5, "$12.50"],
])("a cost of %s dollars is shown as %s", (usd, shown) => {
  expect(cost(usd)).toBe(shown);
});

test("a long run id is shortened, and a short one is not", () => {
  expect([shortId("1d44e202-8dd0-43d3-ba7c-e79c61e410c6"), shortId("run-1")]).toEqual(["1d44e202…", "run-1"]);
});
