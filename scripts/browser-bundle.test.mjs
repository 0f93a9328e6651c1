// The limits of the browser bundle, and the check that refuses a larger bundle.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "./lib/project.mjs";

/** Limits of gzipped bytes, by bundle. @type {Record<string, number>} */
const budgets = JSON.parse(readFileSync(join(root, "scripts/bundle-budgets.json"), "utf8"));

/** Runs the check with these limits. @param {Record<string, number>} bounds */
function check(bounds) {
  const folder = mkdtempSync(join(tmpdir(), "bailiwick-bounds-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "bounds.json");
  writeFileSync(file, JSON.stringify(bounds));
  const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts/check-browser-bundle.mjs"), file], {
    encoding: "utf8",
  });
  return { status, stderr };
}

test("all of core, all of agent and each part of an agent stay within their bounds [feature:X116]", () => {
  expect(check(budgets)).toEqual({ status: 0, stderr: "" });
});

test("a bundle above any of the bounds is refused, with its size [feature:X116]", () => {
  const { status, stderr } = check(Object.fromEntries(Object.keys(budgets).map((name) => [name, 1_000])));
  expect(status).toBe(1);
  expect(stderr.match(/weighs \d+ bytes gzipped, the budget is 1000/gu)).toHaveLength(Object.keys(budgets).length);
});
