// Everything that must hold, in one command: installs, builds, checks and tests. The last line is the totals.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { enterProject, pnpmCommand, root } from "./lib/project.mjs";

const started = Date.now();
await enterProject();
const { absentCapabilities, capabilities, requiredCapabilities } = await import("./lib/capabilities.mjs");
const { filesBelow } = await import("./lib/files.mjs");
const { totalsFile } = await import("./lib/totals-reporter.mjs");

const turbo = [...pnpmCommand(), "exec", "turbo", "run", "build", "--output-logs=errors-only"];
const script = (/** @type {string} */ name, /** @type {string[]} */ ...args) => [
  process.execPath,
  "--conditions=@bailiwick/source",
  `scripts/${name}.mjs`,
  ...args,
];
const results = ".cache/test-results.json";

/**
 * Each check: its name, its command, and whether it looks at what the build made.
 *
 * @type {readonly (readonly [name: string, command: readonly string[], built?: boolean])[]} */
const checks = [
  ["build", [...turbo, "--filter=!@bailiwick/docs"]],
  ["lint", ["oxlint", "--type-aware"]],
  ["format", ["oxfmt", "--check"]],
  ["types", script("typecheck")],
  ["dependency directions", script("check-dependencies")],
  ["public names", script("check-public-api")],
  ["page of options", script("option-page")],
  ["unused code", ["knip", "--no-progress"]],
  ["prose", script("check-prose")],
  ["packages as published", script("check-packages"), true],
  ["browser bundle", script("check-browser-bundle")],
  ["cost of the types", script("check-types-cost")],
  ["code in the documentation", script("check-doc-code")],
  ["documentation site", [...turbo, "--filter=@bailiwick/docs"], true],
];

/** @type {string[]} */
const failed = [];
for (const [name, command, built] of checks) {
  if (!built || !failed.includes("build")) check(name, command);
  else {
    failed.push(name);
    console.log(`FAILED  ${name} (not run: it looks at what the build makes)`);
  }
}

const absent = absentCapabilities();
const required = requiredCapabilities();
for (const name of required) {
  const missing = absent.find((capability) => capability.name === name);
  if (missing === undefined) continue;
  failed.push(`capability ${name}`);
  console.log(`FAILED  capability ${name} is required and absent: ${missing.howToGet}`);
}

for (const file of [totalsFile, results]) rmSync(join(root, file), { force: true });
console.log("tests");
const tests = spawn([
  "vitest",
  "run",
  "--reporter=default",
  "--reporter=./scripts/lib/totals-reporter.mjs",
  "--reporter=json",
  `--outputFile.json=${results}`,
]);
const totals = existsSync(join(root, totalsFile))
  ? JSON.parse(readFileSync(join(root, totalsFile), "utf8"))
  : { passed: 0, failed: 1, skipped: 0 };
if (tests.status !== 0) failed.push("tests");
// Some tests get their titles when they run, so the page is held against what ran.
if (existsSync(join(root, results))) check("conformance pages", script("conformance", "--check", results));

console.log("");
for (const { name, howToGet } of absent.filter((capability) => !required.includes(capability.name))) {
  const files = filesBelow(["packages", "apps"], (path) => path.includes(`.${name}.test.`)).length;
  if (files > 0) console.log(`not run here: ${files} file(s) of the suite ${name}; to run them, ${howToGet}`);
}
const present = capabilities.length - absent.length;
console.log(`${present} of ${capabilities.length} capabilities present, ${seconds(started)}`);
if (failed.length > 0) console.log(`FAILED: ${failed.join(", ")}`);
process.exitCode = failed.length > 0 || totals.failed > 0 ? 1 : 0;
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);

/**
 * Runs one check. What it says is shown when it fails.
 *
 * @param {string} name
 * @param {readonly string[]} command
 */
function check(name, command) {
  const since = Date.now();
  const { status, output } = spawn(command, true);
  if (status === 0) {
    console.log(`ok      ${name} (${seconds(since)})`);
    return;
  }
  failed.push(name);
  console.log(`FAILED  ${name} (${seconds(since)})\n${output}`);
}

/**
 * @param {readonly string[]} command
 * @param {boolean} quiet whether its output is kept instead of shown
 */
function spawn([file = "", ...args], quiet = false) {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
    stdio: quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    maxBuffer: 256 * 1024 * 1024,
  });
  return { status: status ?? 1, output: `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`.trim() };
}

/**
 * @param {number} since
 */
function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
