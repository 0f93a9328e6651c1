#!/usr/bin/env node
/**
 * Edits sources, one condition, statement, limit or number at a time, and runs the tests that import them: an edit that no
 * test notices is printed as a survivor, with the folder whose tests should notice it. Tests whose processes load sources
 * by themselves see the source without the edit.
 *
 *     node scripts/mutants.mjs [paths] [--days 7] [--count 60] [--seed text] [--numbers] [--list]
 *
 * Without paths it takes the files that changed in the last days. `--numbers` takes only limits and numbers.
 *
 * @module
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { filesBelow } from "./lib/files.mjs";
import { mutantsOf } from "./lib/mutants.mjs";
import { root } from "./lib/project.mjs";

/** Milliseconds after which the tests of an edit count as hanging, which is noticed. */
const patience = 600_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    days: { type: "string", default: "7" },
    count: { type: "string", default: "60" },
    seed: { type: "string", default: new Date().toISOString().slice(0, 10) },
    numbers: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});

const drawn = files()
  .flatMap((file) =>
    mutantsOf(readFileSync(join(root, file), "utf8"), { numbers: true })
      .filter(({ what }) => !values.numbers || what.includes("by one"))
      .map((mutant) => ({ file, mutant, order: hash(`${values.seed} ${file} ${mutant.text}`) })),
  )
  .toSorted((one, other) => (one.order < other.order ? -1 : 1))
  .slice(0, Number(values.count));

console.log(`${drawn.length} edits, seed ${values.seed}`);
let survivors = 0;
for (const { file, mutant } of drawn) {
  const place = `${file}:${mutant.line} ${mutant.what}`;
  if (values.list) console.log(place);
  else if (isNoticed(file, mutant.text)) console.log(`noticed: ${place}`);
  else {
    survivors += 1;
    console.log(`SURVIVED: ${place} (tests: ${dirname(file)})`);
  }
}
console.log(`${survivors} of ${drawn.length} edits survived`);
process.exitCode = survivors > 0 ? 1 : 0;

/** The files whose edits are tried. */
function files() {
  const isSource = (/** @type {string} */ path) =>
    /^packages\/[\w-]+\/src\/.+\.ts$/u.test(path) && !/\.(?:test|test-d|fixture)\./u.test(path);
  if (positionals.length > 0)
    return filesBelow(["packages"], (path) => isSource(path) && positionals.some((part) => path.includes(part)));
  const changed = execFileSync("git", ["log", `--since=${values.days} days ago`, "--name-only", "--format="], {
    cwd: root,
    encoding: "utf8",
  });
  return [...new Set(changed.split("\n"))].filter((path) => isSource(path) && existsSync(join(root, path))).toSorted();
}

/**
 * Runs the tests of the file's package and of the facade that import the file.
 *
 * @param {string} file
 * @param {string} text
 */
function isNoticed(file, text) {
  const edited = join(root, ".cache/mutant.ts");
  mkdirSync(dirname(edited), { recursive: true });
  writeFileSync(edited, text);
  const projects = new Set([file.split("/")[1] ?? "", "agent"]);
  const { status } = spawnSync(
    join(root, "node_modules/.bin/vitest"),
    [
      "related",
      "--run",
      "--bail=1",
      "--typecheck.enabled=false",
      // The cache of modules is by the path and the time of a file, which an edit does not change.
      "--fsModuleCache=false",
      ...[...projects].flatMap((name) => ["--project", name]),
      file,
    ],
    {
      cwd: root,
      stdio: "ignore",
      timeout: patience,
      env: { ...process.env, BAILIWICK_MUTANT: JSON.stringify({ file: join(root, file), text: edited }) },
    },
  );
  return status !== 0;
}

/** @param {string} text */
function hash(text) {
  return createHash("sha256").update(text).digest("hex");
}
