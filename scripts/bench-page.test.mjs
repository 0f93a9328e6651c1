// The published benchmark: complete, and consistent with its own numbers.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./lib/project.mjs";

const page = readFileSync(join(root, "bench/README.md"), "utf8");

/** The first table below "Results", as cells. */
const [header = [], , ...rows] = (/\n(\|[^\0]*?\|)\n\n/.exec(page.slice(page.indexOf("## Results")))?.[1] ?? "")
  .split("\n")
  .map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );

/**
 * A ratio to the hand-written loop: that of the fastest rounds (in brackets) if there is one, because other load on the
 * machine disturbs it least.
 *
 * @param {string | undefined} cell
 */
function ratio(cell = "") {
  return Number.parseFloat(/\(([\d.]+)\)/.exec(cell)?.[1] ?? cell);
}

/** The ratios of the rows whose case begins with a text. */
function ratios(/** @type {string} */ name) {
  return rows
    .filter(([title = ""]) => title.startsWith(name))
    .map((row) => ({ bare: ratio(row[header.indexOf("bare SDK")]), ours: ratio(row[header.indexOf("ours")]) }));
}

test("by the published numbers a turn and a delta cost no more than with the bare SDK in any case, and less in total [feature:X117]", () => {
  for (const [name, cases] of /** @type {const} */ ([
    ["turns", 4],
    ["streamed delta", 2],
  ])) {
    const measured = ratios(name);
    expect(measured).toHaveLength(cases);
    for (const { bare, ours } of measured) {
      expect(ours).toBeGreaterThan(0);
      expect(ours).toBeLessThanOrEqual(bare);
    }
    const sum = (/** @type {"bare" | "ours"} */ who) => measured.reduce((all, row) => all + row[who], 0);
    expect(sum("ours")).toBeLessThan(sum("bare"));
  }
});

test("the page states the time and machine of the measurement, and each command on it exists [feature:X117]", () => {
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
