import { expect, test } from "vitest";
import { shortTitle } from "./short-title.ts";

test("the heading of a question with a long argument ends with a whole word, and a short one is unchanged", () => {
  const short = "Refund 249.00 EUR on order FH-10191";
  expect(shortTitle(short)).toBe(short);
  const long = `Send "${"many words ".repeat(60)}" to ada@firm.example`;
  expect(shortTitle(long)).toMatch(/^Send "many words .{100,150}(?:many|words)…$/u);
  // A text without spaces is cut between letters, including letters of two code units.
  expect(shortTitle("😀".repeat(500))).toBe(`${"😀".repeat(160)}…`);
});
