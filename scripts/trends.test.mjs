// Figures are compared with those of a week ago; a rise by a tenth gets a line, and nothing is refused.
import { expect, test } from "vitest";
import { risen, showTrend } from "./lib/trend-lines.mjs";

const before = { bytes: 1_000, functions: 50, gone: 1 };

test("each figure is printed with its change since then, and a new one alone", () => {
  expect(showTrend({ bytes: 1_050, functions: 40, added: 3 }, before)).toEqual([
    "bytes: 1050, was 1000 (+5.0 %)",
    "functions: 40, was 50 (-20.0 %)",
    "added: 3",
  ]);
});

test("a figure that rose by a tenth or more gets a line that asks for the reason [feature:X114]", () => {
  expect(risen({ bytes: 1_099, functions: 55, added: 9 }, before)).toEqual([
    "ROSE  functions by +10.0 %: give the reason in the text of the change.",
  ]);
});
