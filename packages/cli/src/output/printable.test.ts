import { expect, test } from "vitest";
import { printable, printableJson, printableOutput } from "./printable.ts";

/** Characters that a terminal executes, or that a person does not see. */
const hostile: Readonly<Record<string, string>> = {
  NUL: "\0",
  backspace: "\b",
  "carriage return": "\r",
  escape: "\u001B",
  delete: "\u007F",
  "C1 control sequence": "\u009B",
  "zero width space": "\u200B",
  "right-to-left override": "\u202E",
  isolate: "\u2066",
  "Arabic letter mark": "\u061C",
  "line separator": "\u2028",
  "deprecated format character": "\u206A",
  "Hangul filler": "\u3164",
  "byte order mark": "\uFEFF",
  "tag letter": "\u{E0041}",
  "variation selector of the supplement": "\u{E0101}",
};

test.each(Object.entries(hostile))("%s is printed by no form of output [questions.printable]", (_name, character) => {
  const text = `a${character}b`;
  expect(printable(text)).toBe("a\uFFFDb");
  expect(printableOutput(`\u001B[31m${text}\u001B[39m`)).toBe("\u001B[31ma\uFFFDb\u001B[39m");
  const json = printableJson(JSON.stringify({ text }));
  expect(json).not.toContain(character);
  expect(JSON.parse(json)).toEqual({ text });
});

test("sequences of a terminal are removed whole, and texts of people stay [questions.printable]", () => {
  expect(printableOutput("\u001B[2J\u001B]0;title\u0007a\u001B[1m\tb\nc")).toBe("a\u001B[1m\tb\nc");
  const words = "Grüße, Ελλάδα, שלום, نمی‌خواهم, 你好, 👩‍👩‍👧, ❤️, 🏳️‍🌈";
  expect(printable(words)).toBe(words);
  expect(printableJson(JSON.stringify(words))).toBe(JSON.stringify(words));
});
