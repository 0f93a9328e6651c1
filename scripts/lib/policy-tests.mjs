/**
 * Replaces "vitest" while edits of the policy are tried: tests are collected instead of run, so that one process can
 * run them against each edit. Expectations are vitest's own.
 */
export { expect } from "vitest";

/** @typedef {{ name: string, run: () => unknown }} CollectedTest */

/** @type {CollectedTest[]} */
let collected = [];

/** The tests since the last call. */
export function takeTests() {
  const taken = collected;
  collected = [];
  return taken;
}

/** @type {{ (name: string, run: () => unknown): void, each: (cases: readonly unknown[]) => (name: string, run: (...values: any[]) => unknown) => void }} */
export const test = Object.assign(
  (/** @type {string} */ name, /** @type {() => unknown} */ run) => void collected.push({ name, run }),
  {
    each:
      (/** @type {readonly unknown[]} */ cases) =>
      (/** @type {string} */ name, /** @type {(...values: any[]) => unknown} */ run) => {
        for (const [index, one] of cases.entries())
          collected.push({ name: `${name} #${index}`, run: () => (Array.isArray(one) ? run(...one) : run(one)) });
      },
  },
);
