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

/** A table must have a row that starts with these cells, and that has this number of successful attacks. */
export function expectDocumentedCases(cells: readonly string[], succeeded: number): void {
  const start = `| ${cells.join(" | ")} | `;
  const row = rows.find((each) => each.startsWith(start));
  expect(row, `a table of docs/guides/attacks.md must have a row that starts with: ${start}`).toBeDefined();
  expect(row?.split(" | ")[4], row).toBe(String(succeeded));
}

/** A table row with the results of an attack suite. */
export function attackRow(suite: string, how: string, tally: Tally): readonly string[] {
  const { cases, hijacked, achieved, overSent, questions } = tally;
  const each = (questions / cases).toFixed(2);
  return [suite, how, String(cases), String(hijacked), String(achieved.length), String(overSent), each];
}
