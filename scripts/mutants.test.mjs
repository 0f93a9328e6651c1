// An edit of a source is seen by the tests that import it, and by no file on disk.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { mutatedFile } from "./lib/mutated-file.mjs";
import { root } from "./lib/project.mjs";

test("the edited text is loaded in place of its source, and every other source as it is", () => {
  const folder = mkdtempSync(join(tmpdir(), "bailiwick-mutant-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const text = join(folder, "mutant.ts");
  writeFileSync(text, "export const limit = 3;\n");
  const load = /** @type {(id: string) => string | undefined} */ (
    mutatedFile(JSON.stringify({ file: "/src/limit.ts", text })).load
  );
  expect(load("/src/limit.ts?v=1")).toBe("export const limit = 3;\n");
  expect(load("/src/other.ts")).toBeUndefined();
  expect(/** @type {any} */ (mutatedFile(undefined)).load("/src/limit.ts")).toBeUndefined();
});

test("the same seed draws the same edits, and --numbers draws limits and numbers alone", () => {
  const list = (/** @type {string[]} */ ...args) =>
    spawnSync(process.execPath, [join(root, "scripts/mutants.mjs"), "shorten-result", "--list", ...args], {
      encoding: "utf8",
    }).stdout;
  const one = list("--count", "5", "--seed", "a");
  expect(one).toMatch(/^5 edits, seed a\n(?:packages\/core\/src\/.+:\d+ .+\n){5}/u);
  expect(list("--count", "5", "--seed", "a")).toBe(one);
  expect(list("--count", "5", "--seed", "b")).not.toBe(one);
  const numbers = list("--numbers")
    .split("\n")
    .filter((line) => line.startsWith("packages/"));
  expect(numbers.length).toBeGreaterThan(5);
  expect(numbers.filter((line) => !line.includes("by one"))).toEqual([]);
});
