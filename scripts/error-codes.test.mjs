import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codesInSource } from "./lib/error-codes.mjs";
import { errorExamples } from "./lib/error-examples.mjs";
import { root } from "./lib/project.mjs";

/** @type {Record<string, { happened: string, why: string, do: string }>} */
const explained = JSON.parse(readFileSync(join(root, "packages/cli/src/explain/error-codes.json"), "utf8"));

test("each error code of the packages has an explanation, and each explanation has its code", () => {
  const used = codesInSource();
  const missing = [...used].filter(([code]) => !(code in explained)).map(([code, files]) => `${code} (${files[0]})`);
  expect(missing, "add them to packages/cli/src/explain/error-codes.json").toEqual([]);
  expect(Object.keys(explained).filter((code) => !used.has(code))).toEqual([]);
});

test("each explanation has three sentences that are written out", () => {
  for (const [code, { happened, why, do: remedy }] of Object.entries(explained))
    for (const text of [happened, why, remedy]) expect(text, code).toMatch(/^\S.{3,}[.!`)]$/);
});

test("each error code has an example", () => {
  expect([...errorExamples().keys()].sort()).toEqual(Object.keys(explained).sort());
});
