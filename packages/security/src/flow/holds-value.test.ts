import { expect, test } from "vitest";

import { holds } from "./holds-value.ts";

const lengths = [1, 3, 32_767, 32_768, 100_000];

test.each(lengths)("a value of %i characters is found as whole words, and only so [questions.origin]", (length) => {
  const text = "Long.(".repeat(Math.ceil(length / 6)).slice(0, length - 1) + "x";
  const other = text.toUpperCase();
  expect(holds(text, text, text)).toBe(true);
  expect(holds(`Say: ${other}, please.`, text, text)).toBe(true);
  expect(holds(`a${text} ${text}é, ${other}`, text, text)).toBe(true);
  expect(holds(`a${text} ${text}é 𝒜${text}`, text, text)).toBe(false);
  expect(holds("Say something else.".repeat(10_000), text, text)).toBe(false);
});

test("an empty value is in no text, and an emoji beside a value is not a letter [questions.origin]", () => {
  expect(holds("words", "", "")).toBe(false);
  expect(holds("👍pay👍", "pay", "pay")).toBe(true);
});

test.each([
  ["Pay 1,840.00 EUR.", 1840, true],
  ["Pay 1.840,50 EUR.", 1840.5, true],
  ["Pay €75.50.", 75.5, true],
  ["Pay 75.50", "75.5", true],
  ["Pay 1,840.00 EUR.", 840, false],
  ["Pay 1,840.00 EUR.", 1.84, false],
  ["Version 1.2.3", 2.3, false],
  ["INV-75.50", 75.5, false],
  ["Pay 75", 7.5, false],
])("an amount is found in the notation of a text: %s %s %s [questions.origin]", (words, value, isThere) => {
  expect(holds(words, value, String(value))).toBe(isThere);
});
