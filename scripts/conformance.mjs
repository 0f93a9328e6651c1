#!/usr/bin/env node
/**
 * Writes the pages of `docs/conformance`: the tests that prove each claim of `docs/spec`.
 *
 *     node scripts/conformance.mjs [result.json …]            write the pages
 *     node scripts/conformance.mjs --check [result.json …]    write the pages, and fail when more claims than in the base are open
 *     node scripts/conformance.mjs --accept [result.json …]   write the pages, and make this state the base
 *
 * A result is what `vitest run --reporter=json --outputFile=result.json` writes. Test files that no result covers are
 * read for the ids in their titles, and their tests count as "not run".
 *
 * @module
 */

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { compareToBase, makeBase } from "./conformance-base.mjs";
import { familiesOf, judge, renderReport, unknownKeys } from "./conformance-report.mjs";
import { compare, readSpec } from "./conformance-spec.mjs";
import { groupBy, readTables } from "./lib/claims/break-tables.mjs";
import { readNotTestable } from "./lib/claims/open-claims.mjs";
import { keyOf, readVerdicts } from "./lib/claims/try-breaks.mjs";
import { joinTests, testsOfReport, testsOfSource } from "./conformance-tests.mjs";

const root = resolve(fileURLToPath(new URL("..", import.meta.url)));
const folder = join(root, "docs/conformance");
const baseFile = join(root, "docs/conformance-base.json");

const { values, positionals } = readArguments();
if (values.check && values.accept)
  stop(["--check and --accept exclude each other: --check compares with the base, --accept replaces it"]);

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
  positionals.map((path) => testsOfReport(readResult(path), root, families)),
  testFiles().flatMap((file) => testsOfSource(file, readFileSync(join(root, file), "utf8"), families)),
);
const problems = [...spec.problems, ...unknownKeys(spec, tests)];
if (problems.length > 0) stop(problems);

const measured = positionals.length > 0;
const proofs = judge(spec, tests);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [name, text] of renderReport(spec, proofs, triedBreaks(), readNotTestable(root)))
  writeFileSync(join(folder, name), text);
if (values.check) check();
else if (values.accept) writeFileSync(baseFile, `${JSON.stringify(makeBase(proofs, measured), null, 2)}\n`);
const claims = makeBase(proofs, measured);
console.log(
  `${claims.proved.length} of ${claims.proved.length + claims.open.length} claims ${measured ? "proved" : "named by a test"}`,
);

/** The edits that remove features, by claim, with the verdicts of the last `pnpm test:claims`. */
function triedBreaks() {
  const verdicts = readVerdicts(root);
  const all = [...readTables(root).values()].flat();
  const tried = all.map((one) => ({ claim: one.claim, file: one.file, verdict: verdicts[keyOf(root, one)] }));
  return groupBy(tried, ({ claim }) => claim);
}

/** Parses the command line, or throws an error that names the wrong argument. */
function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { check: { type: "boolean", default: false }, accept: { type: "boolean", default: false } },
    });
  } catch (error) {
    return stop([
      error instanceof Error ? error.message : String(error),
      "usage: node scripts/conformance.mjs [--check | --accept] [result.json …]",
    ]);
  }
}

/** Ends with an error if a claim that the base counts as proved is open. */
function check() {
  if (!existsSync(baseFile)) stop(["docs/conformance-base.json is missing: write it with --accept"]);
  // A test that needs a capability of another machine is not run here, and keeps its result from there.
  const compared = compareToBase(JSON.parse(readFileSync(baseFile, "utf8")), proofs, false);
  for (const note of compared.notes) console.warn(note);
  if (compared.failures.length > 0) stop(compared.failures);
}

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
