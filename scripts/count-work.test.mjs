// The work of a turn and of a call, and the check that refuses more of it.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "./lib/project.mjs";

/** Expected counts, by unit and measure. @type {Record<string, Record<string, number>>} */
const counts = JSON.parse(readFileSync(join(root, "scripts/work-counts.json"), "utf8"));

/** Runs the check with these expected counts. @param {typeof counts} expected */
function check(expected) {
  const folder = mkdtempSync(join(tmpdir(), "bailiwick-counts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "counts.json");
  writeFileSync(file, JSON.stringify(expected));
  const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts/count-work.mjs"), file], {
    encoding: "utf8",
  });
  return { status, stderr };
}

test("a turn and a call enter no more functions and allocate no more bytes than expected", () => {
  expect(check(counts)).toEqual({ status: 0, stderr: "" });
});

test("work that grew is refused, with both counts", () => {
  const less = Object.entries(counts).map(([unit, measures]) => [
    unit,
    Object.fromEntries(Object.entries(measures).map(([measure, count]) => [measure, Math.floor(count / 2)])),
  ]);
  const { status, stderr } = check(Object.fromEntries(less));
  expect(status).toBe(1);
  expect(stderr.match(/each in place of \d+, \d+\.\d % more/gu)).toHaveLength(4);
});

test("a run with one tool call enters at most 150 files, with at most 800 moves between them", () => {
  const trace = join(root, "scripts/trace-run.mjs");
  const { stdout } = spawnSync(process.execPath, ["--conditions=@bailiwick/source", trace], { encoding: "utf8" });
  const [, files, moves] = /^run: (\d+) files with \d+ lines, (\d+) moves/mu.exec(stdout) ?? [];
  expect(Number(files)).toBeLessThanOrEqual(150);
  expect(Number(moves)).toBeLessThanOrEqual(800);
});
