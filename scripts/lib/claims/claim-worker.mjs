/**
 * Runs tests against breaks in this process. A break is put into the running module, so that everything else stays warm; a
 * break outside of functions is made while the module is loaded, in a separate process.
 */
import { readFileSync } from "node:fs";
import { Session } from "node:inspector";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { seededLibrary } from "../property-tests.mjs";

const collector = new URL("collected-tests.mjs", import.meta.url).href;
const packages = new URL("../../../packages/", import.meta.url).href;
const apps = new URL("../../../apps/", import.meta.url).href;
/** Texts that differ from the disk, by path. @type {Map<string, string>} */
const edited = new Map();

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
    if (!isOurs(url) || !/\.m?ts(?:\?|$)/u.test(url)) return next(url, context);
    const path = fileURLToPath(/** @type {string} */ (url.split("?", 1)[0]));
    const source = stripTypeScriptTypes(edited.get(path) ?? readFileSync(path, "utf8"));
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
let isCovered = false;

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
 * @param {{ file: string, edit?: Edit, pattern?: string, coverage?: boolean }} asked `edit` is made while modules are loaded.
 */
async function load({ file, edit, pattern, coverage }) {
  if (edit !== undefined) edited.set(edit.path, edit.text);
  if (coverage === true && !isCovered) {
    post("Profiler.enable");
    post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    isCovered = true;
  }
  await import(pathToFileURL(file).href);
  const tests = takeTests();
  loaded.set(file, tests);
  const wanted = matching(tests, pattern);
  const results = [];
  if (coverage === true) post("Profiler.takePreciseCoverage");
  for (const one of wanted) {
    const before = performance.now();
    const failure = await failureOf(one, 60_000);
    durations.set(one, performance.now() - before);
    results.push({
      name: one.name,
      failure,
      ms: Math.round(durations.get(one) ?? 0),
      ...(coverage === true && { covered: coveredNow() }),
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

/** Functions that ran since the last call, by file: their ranges, and those of the blocks in them that did not. */
function coveredNow() {
  const { result } = post("Profiler.takePreciseCoverage");
  /** @type {Record<string, { ran: [number, number][], dead: [number, number][] }>} */
  const files = {};
  for (const { url, functions } of result) {
    if (!isOurs(url) || /\.test\.|fixture|test\.helper|\/testing\/src\//u.test(url)) continue;
    const path = fileURLToPath(url.split("?", 1)[0]);
    for (const { ranges, functionName } of functions) {
      const [whole] = ranges;
      if (whole === undefined || whole.count === 0 || (whole.startOffset === 0 && functionName === "")) continue;
      const { ran, dead } = (files[path] ??= { ran: [], dead: [] });
      ran.push([whole.startOffset, whole.endOffset]);
      for (const { startOffset, endOffset, count } of ranges) if (count === 0) dead.push([startOffset, endOffset]);
    }
  }
  return files;
}

/**
 * Puts a break into a running module, and runs the tests that a pattern names.
 *
 * @param {{ in: string, edit: Edit, pattern: string, others?: number }} asked `others`: how many tests of the file run besides,
 * if one that the pattern names fails.
 */
async function attempt({ in: file, edit, pattern, others = 0 }) {
  const url = pathToFileURL(edit.path).href;
  const scriptId = scripts.get(url);
  if (scriptId === undefined) return { blocked: "not loaded" };
  const source = stripTypeScriptTypes(readFileSync(edit.path, "utf8"));
  const put = post("Debugger.setScriptSource", { scriptId, scriptSource: stripTypeScriptTypes(edit.text) });
  if (put?.status !== "Ok") return { blocked: String(put?.status ?? put?.error?.message) };
  const tests = loaded.get(file) ?? [];
  const named = matching(tests, pattern);
  /** @type {(one: CollectedTest) => Promise<{ name: string, failure: string | undefined }>} */
  const run = async (one) => ({
    name: one.name,
    failure: await failureOf(one, 3_000 + 5 * (durations.get(one) ?? 1_000)),
  });
  const results = [];
  const besides = [];
  try {
    for (const one of named) {
      const result = await run(one);
      results.push(result);
      if (result.failure !== undefined && others > 0) break;
    }
    if (results.some(({ failure }) => failure !== undefined)) {
      const rest = tests
        .filter((one) => !named.includes(one))
        .toSorted((a, b) => (durations.get(a) ?? 0) - (durations.get(b) ?? 0));
      const step = Math.max(1, Math.floor(rest.length / Math.max(1, others)));
      for (let index = 0; index < rest.length && besides.length < others; index += step)
        besides.push(await run(/** @type {CollectedTest} */ (rest[index])));
    }
  } finally {
    post("Debugger.setScriptSource", { scriptId, scriptSource: source });
  }
  return { results, besides };
}

// Ignores the rejections that a test of an earlier break left behind.
process.on("unhandledRejection", () => undefined);
process.on("uncaughtException", () => undefined);
process.on("message", (/** @type {any} */ asked) => {
  const work = asked.file === undefined ? attempt(asked) : load(asked);
  work.then(
    (answer) => process.send?.(answer),
    (error) => process.send?.({ error: String(error?.stack ?? error) }),
  );
});
process.send?.({ ready: true });
