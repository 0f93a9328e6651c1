/**
 * The module that tests import as "vitest" while breaks of claims are tried: tests are collected instead of run, so that
 * one process runs them against one break after the other. Expectations and mocks are vitest's own.
 */
import { format, inspect } from "node:util";
import { chromium, wireRecordings } from "../capabilities.mjs";
import { expect as vitestExpect, vi as vitestVi } from "vitest";
import { loadsSettled } from "./module-loads.mjs";

// Fake timers read their settings from the process that vitest starts.
Object.assign(globalThis, { __vitest_worker__: { config: { fakeTimers: {} }, filepath: "" } });

/** @typedef {() => unknown} Hook */
/** @typedef {{ each: Record<"before" | "after", Hook[]>, all: Record<"before" | "after", Hook[]>, titles: string[], started: boolean }} Suite */
/** @typedef {{ name: string, suites: readonly Suite[], run: (context: object) => unknown }} CollectedTest */

/** @type {CollectedTest[]} */
let collected = [];
/** @type {Suite[]} */
let open = [suite([])];
/** @type {Hook[]} */
let finishers = [];

/** @type {(titles: string[]) => Suite} */
function suite(titles) {
  return { each: { before: [], after: [] }, all: { before: [], after: [] }, titles, started: false };
}

/** The tests since the last call. */
export function takeTests() {
  const taken = collected;
  collected = [];
  open = [suite([])];
  return taken;
}

/** @type {(name: unknown) => string} */
const titleOf = (name) => (typeof name === "function" ? name.name : String(name));

/** @type {(template: string, one: unknown, index: number) => string} */
function titleOfCase(template, one, index) {
  const values = Array.isArray(one) ? one : [one];
  const holders = (template.match(/%[sdifjoO]/gu) ?? []).length;
  const text = format(template.replaceAll("%#", String(index)), ...values.slice(0, holders));
  return text.replaceAll(/\$([a-zA-Z0-9_.]+)/gu, (whole, /** @type {string} */ path) => {
    let value = values[0];
    for (const key of path.split(".")) value = value?.[key];
    return value === undefined ? whole : typeof value === "string" ? value : inspect(value);
  });
}

/** @type {(name: unknown, ...rest: unknown[]) => void} */
function collect(name, ...rest) {
  const run = rest.find((one) => typeof one === "function");
  if (run === undefined) return;
  const titles = [...(open.at(-1)?.titles ?? []), titleOf(name)];
  collected.push({ name: titles.join(" › "), suites: [...open], run: /** @type {any} */ (run) });
}

/** @type {(name: unknown, ...rest: unknown[]) => void} */
function collectSuite(name, ...rest) {
  const run = /** @type {(() => void) | undefined} */ (rest.find((one) => typeof one === "function"));
  open.push(suite([...(open.at(-1)?.titles ?? []), titleOf(name)]));
  try {
    run?.();
  } finally {
    open.pop();
  }
}

/** @type {(take: (name: unknown, ...rest: unknown[]) => void) => any} */
function withForms(take) {
  const casesOf =
    (/** @type {(cases: readonly unknown[]) => boolean} */ areSpread) =>
    (/** @type {readonly unknown[]} */ cases) =>
    (/** @type {string} */ name, /** @type {unknown[]} */ ...rest) => {
      const given = /** @type {(...values: unknown[]) => unknown} */ (rest.find((one) => typeof one === "function"));
      const spread = areSpread(cases);
      for (const [index, one] of cases.entries())
        take(titleOfCase(name, one, index), () => (spread && Array.isArray(one) ? given(...one) : given(one)));
    };
  const skip = () => undefined;
  return Object.assign(take, {
    // Lists are spread if all cases are lists, as in vitest.
    each: casesOf((cases) => cases.every(Array.isArray)),
    for: casesOf(() => false),
    skipIf: (/** @type {unknown} */ when) => (when ? withForms(skip) : withForms((...all) => take(...all))),
    runIf: (/** @type {unknown} */ when) => (when ? withForms((...all) => take(...all)) : withForms(skip)),
    sequential: take,
    concurrent: take,
  });
}

export const test = withForms(collect);
export const it = test;
export const describe = withForms(collectSuite);
export const beforeEach = (/** @type {Hook} */ hook) => void open.at(-1)?.each.before.push(hook);
export const afterEach = (/** @type {Hook} */ hook) => void open.at(-1)?.each.after.push(hook);
export const beforeAll = (/** @type {Hook} */ hook) => void open.at(-1)?.all.before.push(hook);
export const afterAll = (/** @type {Hook} */ hook) => void open.at(-1)?.all.after.push(hook);
export const onTestFinished = (/** @type {Hook} */ hook) => void finishers.push(hook);
/** @type {Readonly<Record<string, unknown>>} */
const provided = { chromium, wireRecordings };
export const inject = (/** @type {string} */ name) => provided[name];
export const expectTypeOf = () =>
  new Proxy(() => undefined, { get: (_target, _name, self) => self, apply: () => undefined });
export const vi = Object.assign(Object.create(vitestVi), {
  setConfig: () => undefined,
  resetConfig: () => undefined,
  // The one of vitest waits for modules that its runner loads.
  dynamicImportSettled: loadsSettled,
});

/** @type {(value: unknown) => any} */
const expectationOf = vitestExpect;

/** Polls with its own loop, because vitest's needs its runner. */
const poll = (/** @type {() => unknown} */ read, { timeout = 100_000, interval = 20 } = {}) => {
  const until = Date.now() + timeout;
  /** @type {(path: string[], values: unknown[]) => Promise<void>} */
  const attempt = async (path, values) => {
    for (;;) {
      try {
        const value = await read();
        let matcher = expectationOf(value);
        for (const name of path.slice(0, -1)) matcher = matcher[name];
        return await matcher[path.at(-1) ?? ""](...values);
      } catch (error) {
        if (Date.now() > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, interval));
      }
    }
  };
  /** @type {(path: string[]) => any} */
  const chain = (path) =>
    new Proxy(() => undefined, {
      get: (_target, name) => chain([...path, String(name)]),
      apply: (_target, _self, values) => attempt(path, values),
    });
  return chain([]);
};
export const expect = new Proxy(vitestExpect, {
  get: (target, name) => (name === "poll" ? poll : Reflect.get(target, name)),
});

/**
 * Runs one collected test with the hooks around it.
 *
 * @param {CollectedTest} one
 */
export async function runTest(one) {
  const after = [];
  finishers = [];
  vitestExpect.setState({ assertionCalls: 0, currentTestName: one.name, testPath: "" });
  try {
    for (const { all, each } of one.suites) {
      // Each test is independent: the hooks of its suites run for it.
      for (const hook of all.before) {
        const undo = await hook();
        if (typeof undo === "function") after.push(undo);
      }
      after.push(...all.after);
      for (const hook of each.before) {
        const undo = await hook();
        if (typeof undo === "function") after.push(undo);
      }
      after.push(...each.after);
    }
    const context = {
      task: { name: one.name },
      expect,
      onTestFinished,
      skip: () => undefined,
      signal: new AbortController().signal,
    };
    await one.run(context);
  } finally {
    for (const hook of [...finishers, ...after.toReversed()]) await hook();
  }
}
