import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import { applyBreak, fileOf, patternOf, problemOf, readTables } from "./lib/claims/break-tables.mjs";
import { asPattern, candidatesOf } from "./lib/claims/candidate-breaks.mjs";
import { openClaims, readOpen } from "./lib/claims/open-claims.mjs";
import { replaceJson } from "./lib/claims/replace-file.mjs";
import { saysMore, tryBreaks } from "./lib/claims/try-breaks.mjs";

/** @type {string[]} */
const folders = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const one = {
  claim: "a.b",
  test: "packages/p/src/x.test.ts",
  file: "packages/p/src/x.ts",
  find: "a + b",
  replace: "a",
};

test("a break applies where its text occurs once, and says which file to look at otherwise", () => {
  expect(applyBreak("return a + b;", one)).toEqual({ text: "return a;" });
  expect(applyBreak("a + b; a + b", one)).toEqual({
    problem: expect.stringContaining("2 times in packages/p/src/x.ts"),
  });
  expect(applyBreak("", one)).toEqual({ problem: expect.stringContaining("Look at that file") });
});

test("each break of the tables applies, and each claim has a break or is listed as open", () => {
  const root = resolve(import.meta.dirname, "..");
  const breaks = [...readTables(root).values()].flat();
  expect(breaks.flatMap((known) => problemOf(root, known) ?? [])).toEqual([]);
  expect(readOpen(root)).toEqual(openClaims(root, breaks));
  const gone = { claim: "a.b", test: "packages/core/src/gone.test.ts", file: "packages/core/src/gone.ts" };
  expect(problemOf(root, { ...gone, find: "no such text anywhere", replace: "" })).toContain("gone.ts is gone");
});

test("a table is replaced in one step: a write that fails leaves it as it was", () => {
  const root = mkdtempSync(join(tmpdir(), "bailiwick-claims-"));
  folders.push(root);
  const path = join(root, "claims.json");
  replaceJson(path, [1]);
  mkdirSync(`${path}.${process.pid}.new`);
  expect(() => replaceJson(path, [1, 2])).toThrow("EISDIR");
  expect(readFileSync(path, "utf8")).toBe("[\n  1\n]\n");
  rmSync(`${path}.${process.pid}.new`, { recursive: true });
  replaceJson(path, [1, 2]);
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual([1, 2]);
  expect(readdirSync(root)).toEqual(["claims.json"]);
});

test("a break follows its text into another file of the package", () => {
  const root = mkdtempSync(join(tmpdir(), "bailiwick-claims-"));
  folders.push(root);
  mkdirSync(join(root, "packages/p/src/folder"), { recursive: true });
  writeFileSync(join(root, "packages/p/src/x.ts"), "export {};");
  writeFileSync(join(root, "packages/p/src/folder/y.ts"), "export const sum = (a, b) => a + b;");
  expect(fileOf(root, one)).toBe("packages/p/src/folder/y.ts");
  expect(fileOf(root, { ...one, find: "nowhere" })).toBe("packages/p/src/x.ts");
});

test("the tests of a claim are those that name it, and no claim with a longer id", () => {
  expect("it adds [a.b]").toMatch(new RegExp(patternOf("a.b"), "u"));
  expect("it adds [a.b.c]").not.toMatch(new RegExp(patternOf("a.b"), "u"));
  expect("it adds [axb]").not.toMatch(new RegExp(patternOf("a.b"), "u"));
  const id = ["field-bug", "PB-x-01"].join(":");
  expect(`${id} stops`).toMatch(new RegExp(patternOf(id), "u"));
  expect(`${id}1 stops`).not.toMatch(new RegExp(patternOf(id), "u"));
});

test("candidate edits are whole lines that occur once, and code that only crashes proves nothing", () => {
  const source = "export function f(a: number) {\n  if (a > 1) return 2;\n  return a;\n}\n";
  const edits = candidatesOf(source).map((candidate) => asPattern(source, candidate));
  expect(edits).toContainEqual({ find: "if (a > 1) return 2;", replace: "if (false) return 2;" });
  expect([saysMore("AssertionError: 1 is not 2"), saysMore("TypeError: x"), saysMore(undefined)]).toEqual([
    true,
    false,
    false,
  ]);
});

test("a test that the break of its claim does not fail is reported, and one that fails is noticed", async () => {
  const root = mkdtempSync(join(import.meta.dirname, "../packages/agent/.claims-"));
  folders.push(root);
  mkdirSync(join(root, "packages/p/src"), { recursive: true });
  writeFileSync(
    join(root, "packages/p/src/x.ts"),
    "const on: boolean = true;\nexport function sum(a: number, b: number): number {\n  return a + b;\n}\nexport const isOn = (): boolean => on;\n",
  );
  writeFileSync(
    join(root, "packages/p/src/x.test.ts"),
    `import { expect, test } from "vitest";
import { isOn, sum } from "./x.ts";
test("adds [a.b]", () => expect(sum(1, 2)).toBe(3));
test("runs [a.c]", () => void sum(1, 2));
test("is on [a.d]", () => expect(isOn()).toBe(true));
`,
  );
  const breaks = [
    one,
    { ...one, claim: "a.c" },
    { ...one, claim: "a.d", find: "= true;", replace: "= false;" },
    { ...one, claim: "a.e" },
    { ...one, find: "nowhere" },
  ];
  const tried = await tryBreaks(root, breaks, { fresh: true });
  expect(tried.map(({ break: { claim }, verdict }) => [claim, verdict])).toEqual([
    ["a.b", "noticed"],
    ["a.c", "unnoticed"],
    ["a.d", "noticed"],
    ["a.e", "failing"],
    ["a.b", "does not apply"],
  ]);
  expect((await tryBreaks(root, breaks.slice(0, 1))).map(({ cached }) => cached)).toEqual([true]);
});
