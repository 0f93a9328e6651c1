// The published benchmark: complete, and what it claims holds in its own numbers.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./lib/project.mjs";

const page = readFileSync(join(root, "bench/README.md"), "utf8");

/** The rows of the first table below "What was seen": case, bare SDK, another framework, ours, budget, kept. */
const rows = page
  .slice(page.indexOf("## What was seen"))
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| case") && !line.startsWith("|---"))
  .map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );

/** The ratios to the hand-written loop of the rows whose case begins so. */
function ratios(/** @type {string} */ name) {
  return rows
    .filter(([title = ""]) => title.startsWith(name))
    .map(([title = "", bare = "", other = "", ours = ""]) => {
      const [sdk, framework, own] = [bare, other, ours].map((cell) => Number.parseFloat(cell));
      return { title, bare: sdk ?? NaN, other: framework ?? NaN, ours: own ?? NaN };
    });
}

test("feature:X117 the published cost of a turn and of a delta is not above a loop on the bare SDK in any case, and below it in all", () => {
  const turns = ratios("turns");
  const deltas = ratios("streamed delta");
  expect([turns.length, deltas.length]).toEqual([4, 2]);
  for (const { title, bare, other, ours } of [...turns, ...deltas]) {
    expect([title, ours > 0, ours <= bare, ours < other]).toEqual([title, true, true, true]);
  }
  for (const group of [turns, deltas]) {
    const sum = (/** @type {"bare" | "ours"} */ who) => group.reduce((all, row) => all + row[who], 0);
    expect(sum("ours")).toBeLessThan(sum("bare"));
  }
});

test("feature:X117 the page says when and on what it was measured, and each command it names is there", () => {
  expect(page).toMatch(/^20\d\d-\d\d-\d\d, \d+ cores?.*Node \d+\./m);
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(scripts.bench).toBe("node scripts/bench.mjs");
  for (const [, file = ""] of page.matchAll(/node (\w+\.mjs)/g)) {
    expect([file, existsSync(join(root, "bench", file))]).toEqual([file, true]);
  }
  for (const contender of ["baseline", "openai-sdk", "vercel-ai", "project"]) {
    expect(existsSync(join(root, "bench/contenders", contender, "adapter.mjs"))).toBe(true);
  }
});
