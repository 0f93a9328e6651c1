/**
 * Runs tests against breaks in this process. A break is put into the running module, so that everything else stays warm; a
 * break outside of functions is made while the module is loaded, in a separate process.
 */
import { readFileSync } from "node:fs";
import { Session } from "node:inspector";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { countLoad } from "./module-loads.mjs";
import { switched, switchOn, takeHits } from "./switched-source.mjs";
import { seededLibrary } from "../property-tests.mjs";

const collector = new URL("collected-tests.mjs", import.meta.url).href;
const packages = new URL("../../../packages/", import.meta.url).href;
const apps = new URL("../../../apps/", import.meta.url).href;
/** Texts that differ from the disk, by path. @type {Map<string, string>} */
const edited = new Map();

/** True if modules are loaded with all candidate edits, each behind a switch. */
let hasSwitches = false;

/** @type {(url: string) => boolean} */
const isOurs = (url) => (url.startsWith(packages) || url.startsWith(apps)) && !url.includes("/node_modules/");

registerHooks({
  resolve(specifier, context, next) {
    const parent = context.parentURL ?? "";
    if (specifier === "vitest" && isOurs(parent)) return { url: collector, format: "module", shortCircuit: true };
    if (specifier === "fast-check" && isOurs(parent)) {
      const { url } = next(specifier, context);
      return { url: `seeded:${url}`, format: "module", shortCircuit: true };
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    if (url.startsWith("seeded:"))
      return {
        format: "module",
        source: seededLibrary({ seed: "1", factor: 1 }, url.slice("seeded:".length)),
        shortCircuit: true,
      };
    countLoad();
    if (!isOurs(url) || !/\.m?ts(?:\?|$)/u.test(url)) return next(url, context);
    const path = fileURLToPath(/** @type {string} */ (url.split("?", 1)[0]));
    const text = edited.get(path) ?? readFileSync(path, "utf8");
    const isSource = hasSwitches && !/\.test\.|fixture|\/testing\/src\//u.test(path);
    const source = stripTypeScriptTypes(isSource ? switched(path, text) : text);
    return { format: "module", source, shortCircuit: true };
  },
});

const session = new Session();
session.connect();
/** @type {Map<string, string>} */
const scripts = new Map();
session.on("Debugger.scriptParsed", ({ params }) => {
  if (isOurs(params.url)) scripts.set(params.url, params.scriptId);
});
/** @type {(method: string, parameters?: object) => any} */
function post(method, parameters) {
  /** @type {any} */
  let answer;
  session.post(method, parameters, (error, result) => (answer = error === null ? result : { error }));
  return answer;
}
post("Debugger.enable");

const { takeTests, runTest } = await import(collector);

/** @typedef {import("./collected-tests.mjs").CollectedTest} CollectedTest */
/** @typedef {{ path: string, text: string }} Edit A file, and what it holds instead. */

/** The tests of each file. @type {Map<string, CollectedTest[]>} */
const loaded = new Map();
/** Milliseconds of each test without a break. @type {Map<CollectedTest, number>} */
const durations = new Map();

/** @type {(one: CollectedTest, limit: number) => Promise<string | undefined>} */
async function failureOf(one, limit) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${limit} ms`)), limit);
  });
  try {
    await Promise.race([runTest(one), late]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Loads a test file, and runs its tests without a break.
 *
 * @param {{ file: string, edit?: Edit, pattern?: string, switches?: boolean, ifAny?: string }} asked `edit` is made while modules are loaded;
 * `switches`: with all candidate edits; `ifAny`: runs no test unless one of this pattern is there.
 */
async function load({ file, edit, pattern, switches = false, ifAny }) {
  hasSwitches ||= switches;
  if (edit !== undefined) edited.set(edit.path, edit.text);
  await import(pathToFileURL(file).href);
  const tests = takeTests();
  loaded.set(file, tests);
  if (matching(tests, ifAny).length === 0) return { results: [] };
  const wanted = matching(tests, pattern);
  const results = [];
  takeHits();
  for (const one of wanted) {
    const before = performance.now();
    const failure = await failureOf(one, 110_000);
    durations.set(one, performance.now() - before);
    results.push({
      name: one.name,
      failure,
      ms: Math.round(durations.get(one) ?? 0),
      ...(switches && { hits: takeHits() }),
    });
  }
  return { results };
}

/** @type {(tests: readonly CollectedTest[], pattern: string | undefined) => readonly CollectedTest[]} */
function matching(tests, pattern) {
  if (pattern === undefined) return tests;
  const wanted = new RegExp(pattern, "u");
  return tests.filter(({ name }) => wanted.test(name));
}

/**
 * Puts a break into a running module, and runs the tests that a pattern names.
 *
 * @param {{ in: string, edit: Edit, pattern: string }} asked
 */
async function attempt({ in: file, edit, pattern }) {
  const url = pathToFileURL(edit.path).href;
  const scriptId = scripts.get(url);
  if (scriptId === undefined) return { blocked: "not loaded" };
  const source = stripTypeScriptTypes(readFileSync(edit.path, "utf8"));
  const put = post("Debugger.setScriptSource", { scriptId, scriptSource: stripTypeScriptTypes(edit.text) });
  if (put?.status !== "Ok") return { blocked: String(put?.status ?? put?.error?.message) };
  const named = matching(loaded.get(file) ?? [], pattern);
  const results = [];
  try {
    for (const one of named) results.push(await resultOf(one, 3_000 + 5 * (durations.get(one) ?? 1_000)));
  } finally {
    post("Debugger.setScriptSource", { scriptId, scriptSource: source });
  }
  return { results, isStale: await isStale(named, results) };
}

/**
 * True if a test that failed under a break also fails without it: the break left a change in the process.
 *
 * @type {(named: readonly CollectedTest[], results: readonly { name: string, failure: string | undefined }[]) => Promise<boolean>}
 */
async function isStale(named, results) {
  const failed = named.find(({ name }) => results.some((one) => one.name === name && one.failure !== undefined));
  return failed !== undefined && (await failureOf(failed, 60_000)) !== undefined;
}

/** @type {(one: CollectedTest, limit: number) => Promise<{ name: string, failure: string | undefined }>} */
const resultOf = async (one, limit) => ({ name: one.name, failure: await failureOf(one, limit) });

/**
 * Switches a candidate edit on, and runs the tests that a pattern names.
 *
 * @param {{ in: string, on: { path: string, index: number }, pattern: string, others?: number }} asked `others`: how many
 * tests of the file run besides, if one that the pattern names fails.
 */
async function attemptSwitch({ in: file, on, pattern, others = 0 }) {
  if (!switchOn(on.path, on.index)) return { blocked: "the tests do not load this file" };
  const tests = loaded.get(file) ?? [];
  const named = matching(tests, pattern);
  const limitOf = (/** @type {CollectedTest} */ one) => (others > 0 ? 500 : 3_000) + 4 * (durations.get(one) ?? 1_000);
  const results = [];
  const besides = [];
  try {
    for (const one of named) {
      const result = await resultOf(one, limitOf(one));
      results.push(result);
      if (result.failure !== undefined && others > 0) break;
    }
    if (others > 0 && results.some(({ failure }) => failure !== undefined)) {
      const rest = tests
        .filter((one) => !named.includes(one))
        .toSorted((a, b) => (durations.get(a) ?? 0) - (durations.get(b) ?? 0));
      const step = Math.max(1, Math.floor(rest.length / others));
      for (let index = 0; index < rest.length && besides.length < others; index += step) {
        const one = /** @type {CollectedTest} */ (rest[index]);
        besides.push(await resultOf(one, limitOf(one)));
        // After an edit that breaks everything, no more tests are needed.
        if (besides.filter(({ failure }) => failure !== undefined).length > others / 2) break;
      }
    }
  } finally {
    switchOn();
  }
  return { results, besides, isStale: await isStale(named, results) };
}

// Ignores the rejections that a test of an earlier break left behind.
process.on("unhandledRejection", () => undefined);
process.on("uncaughtException", () => undefined);
process.on("message", (/** @type {any} */ asked) => {
  const work = asked.file !== undefined ? load(asked) : asked.on === undefined ? attempt(asked) : attemptSwitch(asked);
  work.then(
    (answer) => process.send?.(answer),
    (error) => process.send?.({ error: String(error?.stack ?? error) }),
  );
});
process.send?.({ ready: true });
