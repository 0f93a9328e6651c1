// Everything that must hold, in one command: installs, builds, checks and tests. The last line is the totals.
// `npm test -- --foreign` also runs the foreign clients, two templates with the commands, and Restate in short.
import { spawn } from "node:child_process";
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
 * Each check that follows the build: its name, its command, and whether it looks at what the build made. The longest
 * come first.
 *
 * @type {readonly (readonly [name: string, command: readonly string[], built?: boolean])[]} */
const checks = [
  ["documentation site", [process.execPath, "docs/build.mjs"]],
  ["code in the documentation", script("check-doc-code", "--built"), true],
  ["types", script("typecheck")],
  ["packages as published", script("check-packages"), true],
  ["lint", ["oxlint", "--type-aware"]],
  ["format", ["oxfmt", "--check"]],
  ["dependency directions", script("check-dependencies")],
  ["public names", script("check-public-api")],
  ["page of options", script("option-page")],
  ["unused code", ["knip", "--no-progress"]],
  ["prose", script("check-prose")],
];

/**
 * Parts that other people wrote. They wait for processes and installations most of the time, so they run beside the
 * checks and the tests. The longest come first. Each has its own PostgreSQL, so the tests find theirs empty. Without a
 * registry, Restate tries nothing.
 *
 * @type {readonly (readonly [name: string, command: readonly string[], built?: boolean])[]} */
const foreign = [
  ["templates and commands", [".ci/postgres", process.execPath, "scripts/test-templates.mjs", "--two"], true],
  ["foreign clients", [process.execPath, "scripts/test-clients.mjs"], true],
  ["Restate", [".ci/postgres", ...script("restate-chaos", "--smoke")], true],
  // It prints and refuses nothing.
  ["trends", script("trends")],
];
const withForeign = process.argv.includes("--foreign");

/** @type {string[]} */
const failed = [];
/**
 * Output of the failed checks, by name. Its last lines are printed again after the tests.
 *
 * @type {Map<string, string>}
 */
const outputs = new Map();
await check("build", [...turbo, "--filter=!@bailiwick/docs"]);
const ofChecks = [...checks];
const ofForeign = withForeign ? [...foreign] : [];
const foreignEnds = Promise.all([ofForeign, ofForeign].map(checkTheRest));
// Two checks at a time, since most of them use one core.
await Promise.all([ofChecks, ofChecks].map(checkTheRest));

/** @param {(typeof checks)[number][]} waiting */
async function checkTheRest(waiting) {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, command, built] = next;
    if (!built || !failed.includes("build")) await check(name, command, waiting === ofForeign);
    else {
      failed.push(name);
      console.log(`FAILED  ${name} (not run: it looks at what the build makes)`);
    }
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

// Tests of what users install take the packages as they were built.
if (!failed.includes("build")) process.env.BAILIWICK_BUILT = "1";
for (const file of [totalsFile, results]) rmSync(join(root, file), { force: true });
console.log("tests");
const tests = await spawnToEnd(
  [
    "vitest",
    "run",
    "--reporter=default",
    "--reporter=./scripts/lib/totals-reporter.mjs",
    "--reporter=json",
    `--outputFile.json=${results}`,
  ],
  "inherit",
);
await foreignEnds;
const totals = existsSync(join(root, totalsFile))
  ? JSON.parse(readFileSync(join(root, totalsFile), "utf8"))
  : { passed: 0, failed: 1, skipped: 0 };
if (tests.status !== 0) failed.push("tests");
// Some tests get their titles when they run, so the page is held against what ran.
if (existsSync(join(root, results))) await check("conformance pages", script("conformance", results));

console.log("");
for (const [name, output] of outputs)
  console.log(`FAILED  ${name}, the last lines:\n${output.split("\n").slice(-30).join("\n")}\n`);
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
 * Runs one check.
 *
 * @param {string} name
 * @param {readonly string[]} command
 * @param {boolean} shown whether its output is shown; otherwise only if it fails
 */
async function check(name, command, shown = false) {
  const since = Date.now();
  const { status, output } = await spawnToEnd(command, "pipe");
  if (status === 0) {
    console.log(`ok      ${name} (${seconds(since)})${shown ? `\n${output.replaceAll(/^/gmu, "        ")}` : ""}`);
    return;
  }
  failed.push(name);
  outputs.set(name, output);
  console.log(`FAILED  ${name} (${seconds(since)})\n${output}`);
}

/**
 * @param {readonly string[]} command
 * @param {"pipe" | "inherit"} output whether the output is kept or shown
 * @returns {Promise<{ status: number, output: string }>}
 */
function spawnToEnd([file = "", ...args], output) {
  const child = spawn(file, args, {
    cwd: root,
    shell: process.platform === "win32",
    stdio: ["ignore", output, output],
  });
  /** @type {string[]} */
  const printed = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text) => printed.push(text));
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ status: 1, output: error.message }));
    child.on("close", (code) => resolve({ status: code ?? 1, output: printed.join("").trim() }));
  });
}

/**
 * @param {number} since
 */
function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
