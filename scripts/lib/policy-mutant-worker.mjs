/**
 * Runs the policy's tests against edits of the policy, all in this process: for each edit, the edited module and its
 * importers are loaded again, and everything else stays loaded. Only tests that call the edited function run. Those
 * that noticed earlier edits of the same file run first, and the first failure ends the edit.
 */
import { readFileSync } from "node:fs";
import { createRequire, registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { instrumented } from "./instrument-source.mjs";

const root = new URL("../../packages/security/src/", import.meta.url).href;
const collector = new URL("policy-tests.mjs", import.meta.url).href;
/**
 * Modules of the package and their importers: those to reload with an edited one. @type {Map<string, Set<string>>}
 */
const importers = new Map();
/** @type {Map<string, string>} */
const stripped = new Map();
/** @type {{ round: number, url: string, text: string, anew: ReadonlySet<string> } | undefined} */
let edited;

registerHooks({
  resolve(specifier, context, next) {
    const parent = context.parentURL?.split("?", 1)[0] ?? "";
    if (specifier === "vitest" && parent.startsWith(root))
      return { url: collector, format: "module", shortCircuit: true };
    const resolved = next(specifier, context);
    const url = /** @type {string} */ (resolved.url.split("?", 1)[0]);
    if (!url.startsWith(root)) return resolved;
    if (parent.startsWith(root)) importers.set(url, (importers.get(url) ?? new Set()).add(parent));
    return edited?.anew.has(url) === true ? { ...resolved, url: `${url}?edit=${edited.round}` } : resolved;
  },
  load(url, context, next) {
    const [path = ""] = url.split("?", 1);
    if (!path.startsWith(root) || !path.endsWith(".ts")) return next(url, context);
    return { format: "module", source: sourceOf(path), shortCircuit: true };
  },
});

/** @type {(url: string) => string} */
function sourceOf(url) {
  if (edited?.url === url) return stripTypeScriptTypes(instrumented(edited.text));
  let source = stripped.get(url);
  if (source === undefined) {
    const text = readFileSync(fileURLToPath(url), "utf8");
    const name = url.endsWith(".test.ts") ? undefined : url.slice(root.length);
    stripped.set(url, (source = stripTypeScriptTypes(instrumented(text, name))));
  }
  return source;
}

/** The functions that a test calls, by the test's key; under "" those that are called as modules are loaded. @type {Map<string, Set<string>>} */
const calledBy = new Map([["", new Set()]]);
let called = calledBy.get("");
/** @type {(id: string) => void} */
const hit = (id) => void called?.add(id);

/**
 * Loops of the package throw after this time, or after many more steps than without an edit: an edit that makes one
 * endless is noticed, and the process continues.
 */
let deadline = Number.POSITIVE_INFINITY;
let mostSteps = Number.POSITIVE_INFINITY;
let steps = 0;
/** @type {() => void} */
const step = () => {
  steps += 1;
  if (steps > mostSteps || (steps % 1024 === 0 && performance.now() > deadline)) throw new Error("a loop does not end");
};
Object.assign(globalThis, { __hit: hit, __step: step });

const { takeTests } = await import(collector);
// The module that the tests import: a required one would be another copy, with other settings.
const fastCheckFolder = createRequire(new URL("flow/x.ts", root)).resolve("fast-check/package.json");
const fastCheck = await import(new URL("lib/fast-check.js", pathToFileURL(fastCheckFolder)).href);
// The same values for every edit, so that two runs agree; a counterexample need not be a small one.
(fastCheck.default ?? fastCheck).configureGlobal({ seed: 1, endOnFailure: true });

/** @typedef {{ key: string, file: string, run: () => unknown }} LoadedTest */

/** Milliseconds and steps of loops of each test without an edit, by key. @type {Map<string, { file: string, duration: number, steps: number }>} */
const known = new Map();
/** The tests that noticed edits of a file of the policy, latest first. @type {Map<string, string[]>} */
const noticed = new Map();
let round = 0;

/** @type {(file: string) => Promise<LoadedTest[]>} */
async function load(file) {
  await import(edited === undefined ? root + file : `${root}${file}?edit=${edited.round}`);
  return takeTests().map((/** @type {{ name: string, run: () => unknown }} */ { name, run }) => ({
    key: `${file} ${name}`,
    file,
    run,
  }));
}

/**
 * Runs one test; returns the message of its failure. @type {(test: LoadedTest, limit: number, stepLimit?: number) =>
 * Promise<string | undefined>}
 */
async function failureOf({ run }, limit, stepLimit = Number.POSITIVE_INFINITY) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  deadline = performance.now() + limit;
  steps = 0;
  mostSteps = stepLimit;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${limit} ms`)), limit);
  });
  try {
    await Promise.race([run(), late]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
    deadline = Number.POSITIVE_INFINITY;
    mostSteps = Number.POSITIVE_INFINITY;
  }
}

/** @typedef {{ known: [string, { file: string, duration: number, steps: number }][], calledBy: [string, string[]][], importers: [string, string[]][] }} Tested */

/**
 * Loads every test, and runs it without an edit if no other process has.
 *
 * @type {(files: readonly string[], tested?: Tested) => Promise<{ failures: readonly string[], tested: Tested }>}
 */
async function start(files, tested) {
  const failures = await (tested === undefined ? runAll(files) : takeOver(files, tested));
  // Edits are judged by the calls of a run without one.
  called = undefined;
  return { failures, tested: { known: [...known], calledBy: listsOf(calledBy), importers: listsOf(importers) } };
}

/** @type {(files: readonly string[], tested: Tested) => Promise<string[]>} */
async function takeOver(files, tested) {
  for (const file of files) await load(file);
  for (const [key, one] of tested.known) known.set(key, one);
  for (const [key, ids] of tested.calledBy) calledBy.set(key, new Set(ids));
  // Modules that load late have importers only once the tests have run.
  for (const [url, by] of tested.importers) importers.set(url, new Set(by));
  return [];
}

/** @type {(sets: ReadonlyMap<string, ReadonlySet<string>>) => [string, string[]][]} */
function listsOf(sets) {
  return [...sets].map(([key, members]) => [key, [...members]]);
}

/** @type {(files: readonly string[]) => Promise<string[]>} */
async function runAll(files) {
  const failures = [];
  for (const file of files) {
    for (const test of await load(file)) {
      const before = performance.now();
      called = new Set();
      calledBy.set(test.key, called);
      const failure = await failureOf(test, 300_000);
      called = calledBy.get("");
      if (failure !== undefined) failures.push(`${test.key}: ${failure}`);
      else known.set(test.key, { file, duration: performance.now() - before, steps });
    }
  }
  return failures;
}

/**
 * All modules to reload when a module changes: the module and its importers. @type {(url: string,
 * found?: Set<string>) => ReadonlySet<string>}
 */
function dependentsOf(url, found = new Set()) {
  if (found.has(url)) return found;
  found.add(url);
  for (const importer of importers.get(url) ?? []) dependentsOf(importer, found);
  return found;
}

/** Tries one edit. @type {(edit: { name: string, text: string, within?: string }) => Promise<{ noticedBy?: string, failure?: string }>} */
async function attempt({ name, text, within }) {
  const isAnyones = within === undefined || calledBy.get("")?.has(within) === true;
  const url = root + name;
  edited = { round: (round += 1), url, text, anew: dependentsOf(url) };
  const first = noticed.get(name) ?? [];
  noticed.set(name, first);
  /** @type {(key: string) => number} */
  const rank = (key) => (first.includes(key) ? first.indexOf(key) - first.length : (known.get(key)?.duration ?? 0));
  /** @type {Map<string, LoadedTest>} */
  const loaded = new Map();
  for (const key of [...known.keys()].toSorted((a, b) => rank(a) - rank(b))) {
    const { file = "", duration = 0, steps: usual = 0 } = known.get(key) ?? {};
    // A test that does not import the module cannot detect the mutant.
    if (!edited.anew.has(root + file)) continue;
    if (!isAnyones && calledBy.get(key)?.has(within) !== true) continue;
    if (!loaded.has(key)) {
      try {
        for (const test of await load(file)) loaded.set(test.key, test);
      } catch (error) {
        takeTests();
        return { noticedBy: `loading ${file}`, failure: String(error) };
      }
    }
    const test = loaded.get(key);
    const failure =
      test === undefined ? "it is gone" : await failureOf(test, 5_000 + 10 * duration, 100_000 + 10 * usual);
    if (failure === undefined) continue;
    noticed.set(name, [key, ...first.filter((other) => other !== key)]);
    return { noticedBy: key, failure };
  }
  return {};
}

// Errors of tests of earlier edits do not count for this one.
process.on("unhandledRejection", () => undefined);
process.on("uncaughtException", () => undefined);
process.on("message", (/** @type {any} */ { files, tested, ...edit }) => {
  const work = files === undefined ? attempt(edit) : start(files, tested);
  work.then(
    (answer) => process.send?.(answer),
    (error) => process.send?.({ error: String(error?.stack ?? error) }),
  );
});
