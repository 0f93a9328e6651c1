#!/usr/bin/env node
/**
 * Writes the pages of `docs/conformance`: the tests that prove each claim of `docs/spec`. It fails if a title names an id
 * that the specification does not have, or if no test names a claim.
 *
 *     node scripts/conformance.mjs [result.json …]
 *
 * A result is what `vitest run --reporter=json --outputFile=result.json` writes. Test files that no result covers are
 * read for the ids in their titles, and their tests count as "not run".
 *
 * @module
 */

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { familiesOf, judge, openClaims, renderReport, unknownKeys } from "./conformance-report.mjs";
import { compare, readSpec } from "./conformance-spec.mjs";
import { joinTests, testsOfReport, testsOfSource } from "./conformance-tests.mjs";

const root = resolve(fileURLToPath(new URL("..", import.meta.url)));
const folder = join(root, "docs/conformance");
const results = process.argv.slice(2);

const specFolder = join(root, "docs/spec");
const spec = readSpec(
  new Map(
    readdirSync(specFolder)
      .filter((file) => file.endsWith(".md"))
      .map((file) => [file.slice(0, -".md".length), readFileSync(join(specFolder, file), "utf8")]),
  ),
);
const families = familiesOf(spec);
const tests = joinTests(
  results.map((path) => testsOfReport(readResult(path), root, families)),
  testFiles().flatMap((file) => testsOfSource(file, readFileSync(join(root, file), "utf8"), families)),
);
const problems = [...spec.problems, ...unknownKeys(spec, tests)];
if (problems.length > 0) stop(problems);

const proofs = judge(spec, tests);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [name, text] of renderReport(spec, proofs)) writeFileSync(join(folder, name), text);
const open = openClaims(proofs);
// Titles that are put together at run time are only in a result.
if (results.length > 0 && open.length > 0) stop(open.map((id) => `no test names ${id}`));
console.log(`${proofs.size - open.length} of ${proofs.size} claims are named by a test`);

/**
 * @returns {string[]} test files of the repository, ordered
 */
function testFiles() {
  const skipped = new Set(["node_modules", "dist", ".cache"]);
  /** @type {string[]} */
  const files = [];
  const folders = ["apps", "docs", "packages", "scripts"];
  for (const folder of folders) {
    if (!existsSync(join(root, folder))) continue;
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && !skipped.has(entry.name)) folders.push(path);
      else if (/\.(?:test|test-d|spec)\.(?:[cm]?[jt]s|tsx)$/.test(entry.name)) files.push(path);
    }
  }
  return files.sort(compare);
}

/**
 * @param {string} path
 * @returns {import("./conformance-tests.mjs").VitestReport}
 */
function readResult(path) {
  if (!existsSync(path))
    stop([`no test result at ${path}: write one with vitest run --reporter=json --outputFile=${path}`]);
  const report = JSON.parse(readFileSync(path, "utf8"));
  if (!Array.isArray(report.testResults)) stop([`${path} is not a vitest JSON result: it has no testResults`]);
  return report;
}

/**
 * @param {readonly string[]} lines
 * @returns {never}
 */
function stop(lines) {
  for (const line of lines) console.error(line);
  process.exit(1);
}
