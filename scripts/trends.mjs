#!/usr/bin/env node
/**
 * Prints size and work of the packages beside those of the newest commit that is at least seven days old. A figure that
 * rose by a tenth or more gets a line, which the text of the change answers. Nothing is refused: figures are alarms.
 *
 *     node scripts/trends.mjs [--days 7]
 *
 * @module
 */
import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { risen, showTrend } from "./lib/trend-lines.mjs";
import { measured } from "./lib/trend-figures.mjs";
import { pnpmCommand, root } from "./lib/project.mjs";

const { values } = parseArgs({ options: { days: { type: "string", default: "7" } } });
const git = (/** @type {string[]} */ ...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

const now = await measured(root);
const before = await earlier(git("rev-list", "-1", `--before=${values.days} days ago`, "HEAD"));
for (const line of showTrend(now, before)) console.log(line);
for (const line of risen(now, before)) console.log(line);

/**
 * Figures of an earlier commit, which is checked out and installed in a folder of the cache for this.
 *
 * @param {string} commit - Empty if the repository is younger, or the clone is shallow.
 * @returns {Promise<import("./lib/trend-lines.mjs").Figures>}
 */
async function earlier(commit) {
  if (commit === "") {
    console.log(`No commit is ${values.days} days old: the figures are printed without earlier ones.`);
    return {};
  }
  const checkout = join(root, ".cache/trends");
  if (existsSync(checkout)) git("worktree", "remove", "--force", checkout);
  git("worktree", "add", "--detach", "--force", checkout, commit);
  try {
    const [command = "", ...args] = [...pnpmCommand(), "install", "--frozen-lockfile", "--prefer-offline"];
    execFileSync(command, args, { cwd: checkout, stdio: "ignore" });
    console.log(`Earlier figures are of ${git("log", "-1", "--format=%h of %cs", commit)}.`);
    return await measured(checkout);
  } finally {
    git("worktree", "remove", "--force", checkout);
    rmSync(checkout, { recursive: true, force: true });
  }
}
