import { readFileSync } from "node:fs";

import { expect } from "vitest";

import type { Tally } from "./play-attack.test.helper.ts";

const pages = ["attacks", "question-figures", "questions"]
  .map((name) => readFileSync(new URL(`../../../../../docs/guides/${name}.md`, import.meta.url), "utf8"))
  .join("\n");

const rows = pages
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) =>
    line
      .split("|")
      .map((cell) => cell.trim())
      .join(" | ")
      .trim(),
  );

/** The documentation must match the result: the row must be in one of its tables. */
export function expectDocumented(cells: readonly string[]): void {
  const row = `| ${cells.join(" | ")} |`;
  expect(
    rows,
    `a table of docs/guides/attacks.md, question-figures.md or questions.md must have the row: ${row}`,
  ).toContain(row);
}

/** A table row with the results of an attack suite. */
export function attackRow(suite: string, how: string, tally: Tally): readonly string[] {
  const { cases, hijacked, achieved, overSent, questions } = tally;
  const each = (questions / cases).toFixed(2);
  return [suite, how, String(cases), String(hijacked), String(achieved.length), String(overSent), each];
}
