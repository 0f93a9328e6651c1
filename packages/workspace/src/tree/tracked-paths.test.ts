import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { trackedPaths } from "./tracked-paths.ts";

test.each([2, 3, 4])("the paths of an index of version %i are read [workspace.options]", (version) => {
  const folder = mkdtempSync(join(tmpdir(), "bailiwick-index-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: readonly string[]): string =>
    execFileSync("git", [...args], { cwd: folder, encoding: "utf8", env: { PATH: process.env["PATH"], HOME: folder } });
  git("init", "--quiet");
  const paths = ["a", "deep/er/one.txt", "deep/er/two.txt", "deep/é", "x".repeat(200)];
  for (const path of paths) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), path);
  }
  git("add", "--all");
  if (version === 3) git("update-index", "--skip-worktree", "a");
  if (version === 4) git("update-index", "--index-version", "4");
  expect([...trackedPaths(readFileSync(join(folder, ".git/index")))].toSorted()).toEqual(paths.toSorted());
  expect(trackedPaths(new Uint8Array([1, 2, 3]))).toEqual([]);
});
