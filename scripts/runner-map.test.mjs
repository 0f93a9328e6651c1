// The map of the runner for people who read it for the first time: correct, and short enough to be read.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./lib/project.mjs";

const folder = join(root, "packages/core/src/runner");
const map = readFileSync(join(folder, "README.md"), "utf8");
const filesIn = (/** @type {string} */ text) =>
  new Set([...text.matchAll(/`([\w./-]+\.ts)`/g)].map(([, path = ""]) => join(folder, path)));

test("the map of the runner names files that exist", () => {
  const named = filesIn(map);
  expect(named.size).toBeGreaterThan(20);
  expect([...named].filter((file) => !existsSync(file))).toEqual([]);
});

test("a call from run() to the journal and back is at most 32 files with 5,000 lines", () => {
  const [, walk = ""] = map.split("## A call, from `run()` to the journal and back");
  const files = [...filesIn(walk)];
  expect(files.length).toBeGreaterThan(15);
  expect(files.length).toBeLessThanOrEqual(32);
  const lines = files.map((file) => readFileSync(file, "utf8").split("\n").length - 1);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(5_000);
});
