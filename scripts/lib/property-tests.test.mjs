import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { seededLibrary } from "./property-tests.mjs";

const library = fileURLToPath(import.meta.resolve("fast-check"));

/**
 * The cases of a property that is checked twice, as tests under these settings see them.
 *
 * @param {import("./property-tests.mjs").PropertySettings} settings
 */
async function casesOf(settings) {
  const folder = mkdtempSync(join(tmpdir(), "property-tests-"));
  try {
    const file = join(folder, "fast-check.mjs");
    writeFileSync(file, seededLibrary(settings, library));
    /** @type {typeof import("fast-check")} */
    const fc = await import(pathToFileURL(file).href);
    return [1, 2].map(() => {
      /** @type {number[]} */
      const cases = [];
      fc.assert(
        fc.property(fc.integer(), (value) => {
          cases.push(value);
        }),
        { numRuns: 5 },
      );
      return cases;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("property tests have the same cases in each run, and other cases on request", async () => {
  const [first, second] = await casesOf({ seed: "1", factor: 1 });
  expect(second).toEqual(first);
  expect(first).toHaveLength(5);
  const [again] = await casesOf({ seed: "1", factor: 1 });
  expect(again).toEqual(first);
  const [other] = await casesOf({ seed: "2", factor: 1 });
  expect(other).not.toEqual(first);
  const [once, anew] = await casesOf({ seed: "random", factor: 4 });
  expect(anew).not.toEqual(once);
  expect(once).toHaveLength(20);
});

test("an invalid seed or factor is refused", () => {
  expect(() => seededLibrary({ seed: "often", factor: 1 }, library)).toThrow('"random", not "often"');
  expect(() => seededLibrary({ seed: "1", factor: Number("x") }, library)).toThrow("from 1, not NaN");
});
