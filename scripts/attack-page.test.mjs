import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./lib/project.mjs";

test("the summary of the page of attacks has the sums of its tables", () => {
  const rows = readFileSync(join(root, "docs/guides/attacks.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
  const number = (/** @type {string | undefined} */ cell) => Number(cell?.replaceAll(",", ""));
  const summary = rows.filter(([rules]) => rules === "off" || rules === "on, in the mode `auto` or `enforce`");
  // Suite, rules, cases, hijacked, attacks that succeeded, over-sent, questions.
  const results = rows.filter((cells) => cells.length === 7 && /^\d+$/.test(cells[2] ?? ""));
  const sums = [true, false].map((isOff) => {
    const played = results.filter(([, rules]) => (rules === "`off`") === isOff);
    return [2, 4].map((column) => played.reduce((sum, cells) => sum + number(cells[column]), 0));
  });
  expect(results.length).toBeGreaterThan(50);
  expect(summary.map(([, played, succeeded]) => [number(played), number(succeeded)])).toEqual(sums);
});
