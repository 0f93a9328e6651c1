import { expect, test } from "vitest";
import { countHidden } from "./format.ts";

test("only text that is not shown on the screen is counted as hidden", () => {
  expect(countHidden("Grüße 👋, مرحبا, こんにちは\n\t– “quoted”")).toBe(0);
  // Zero-width, invisible, direction-changing, a tag, and a variation selector that encodes a byte.
  for (const character of ["\u200b", "\u2060", "\u202e", "\u{e0041}", "\u{e0141}"])
    expect([character, countHidden(`a${character}b${character}`)]).toEqual([character, 2]);
});
