/**
 * Runs vitest in a copy of the repository, with one file edited. Type tests, `.mjs` and `.tsx` tests, tests in a browser and
 * tests whose processes or bundles read sources from disk are judged here: an edit of a running module does not reach them.
 */
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {{ results: { name: string, failure: string | undefined }[] } | { error: string }} Answer */

const project = resolve(fileURLToPath(new URL("../../..", import.meta.url)));
/** The programs of the project, such as the compiler, for tests that call them. */
const path = [join(project, "node_modules/.bin"), process.env["PATH"] ?? ""].join(delimiter);
const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");

/** Milliseconds after which a run counts as hanging. */
const patience = 600_000;

const leftOut = new Set([".git", ".cache", ".turbo", "dist", "coverage", ".next"]);
/** Files that foreign programs write in their folders, also during a copy. */
const ofForeign = new Set(["node_modules", "results.json"]);
const isOfForeign = (/** @type {string} */ path) =>
  /^(?:clients|examples|bench)\b/.test(path) && ofForeign.has(basename(path));

/** True for tests that cannot run against an edited module of one process. @param {{ test: string, inCopy?: boolean | undefined }} one */
export const needsCopy = ({ test, inCopy }) =>
  inCopy === true || !test.endsWith(".test.ts") || test.endsWith(".browser.test.ts");

/**
 * Copies a repository without its packages from registries, which are linked.
 *
 * @param {string} root
 * @returns {{ run: (test: string, pattern: string, edit?: { file: string, text: string }) => Promise<Answer | undefined>, remove: () => void }}
 * `run` resolves to `undefined` when the tests hang.
 */
export function copyRepository(root) {
  const copy = mkdtempSync(join(tmpdir(), "bailiwick-copy-"));
  const modules = join(root, "node_modules");
  cpSync(root, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => path !== modules && !leftOut.has(basename(path)) && !isOfForeign(relative(root, path)),
  });
  symlinkSync(join(project, "node_modules"), join(copy, "node_modules"));
  return {
    run: async (test, pattern, edit) => {
      const place = edit === undefined ? "" : join(copy, edit.file);
      const before = edit === undefined ? "" : readFileSync(place);
      if (edit !== undefined) writeFileSync(place, edit.text);
      try {
        return await runVitest(copy, test, pattern);
      } finally {
        if (edit !== undefined) writeFileSync(place, before);
      }
    },
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}

/** @type {(copy: string, test: string, pattern: string) => Promise<Answer | undefined>} */
async function runVitest(copy, test, pattern) {
  const [group = "", name = ""] = test.split("/");
  const output = join(copy, ".claims-result.json");
  rmSync(output, { force: true });
  const child = spawn(
    process.execPath,
    [
      vitest,
      "run",
      test,
      "--project",
      group === "scripts" ? group : name,
      "-t",
      pattern,
      "--reporter=json",
      `--outputFile=${output}`,
      ...(test.endsWith(".test-d.ts") ? ["--typecheck.only"] : []),
    ],
    {
      cwd: copy,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
      env: { ...process.env, PATH: path, NO_COLOR: "1" },
    },
  );
  // The compiler and the processes of the tests end with vitest.
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), patience);
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => (printed = (printed + String(chunk)).slice(-1_000)));
  const signal = await new Promise((done) => child.on("close", (_code, killedBy) => done(killedBy)));
  clearTimeout(timer);
  if (signal !== null) return undefined;
  if (!existsSync(output)) return { error: `vitest wrote no result: ${printed}` };
  return answerOf(JSON.parse(readFileSync(output, "utf8")), new RegExp(pattern, "u"));
}

/** @type {(report: any, named: RegExp) => Answer} */
function answerOf({ testResults }, named) {
  const results = testResults.flatMap((/** @type {any} */ { assertionResults }) =>
    assertionResults.flatMap((/** @type {any} */ { ancestorTitles, title, status, failureMessages }) => {
      const name = [...ancestorTitles, title].filter(Boolean).join(" › ");
      if (!named.test(name) || !["passed", "failed"].includes(status)) return [];
      return [{ name, failure: status === "failed" ? String(failureMessages[0] ?? "it failed") : undefined }];
    }),
  );
  const broken = testResults.find((/** @type {any} */ { status, message }) => status === "failed" && message !== "");
  return results.length === 0 && broken !== undefined ? { error: String(broken.message) } : { results };
}
