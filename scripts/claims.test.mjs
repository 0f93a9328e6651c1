import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import { applyBreak, fileOf, patternOf, problemOf, readTables } from "./lib/claims/break-tables.mjs";
import { asPattern, candidatesOf } from "./lib/claims/candidate-breaks.mjs";
import { notTestableProblems, openClaims, readOpen } from "./lib/claims/open-claims.mjs";
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

test("an edit applies if its text occurs once; otherwise the error names the file", () => {
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
  expect(notTestableProblems(root, breaks)).toEqual([]);
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

test("a claim that is listed as not testable has a reason, is in the specification and has no break", () => {
  const root = mkdtempSync(join(tmpdir(), "bailiwick-claims-"));
  folders.push(root);
  mkdirSync(join(root, "docs/spec"), { recursive: true });
  mkdirSync(join(root, "scripts"));
  writeFileSync(
    join(root, "docs/spec/a.md"),
    `# A\n\n${["b", "c", "d"].map((id) => `[a.${id}] It is so.`).join("\n")}\n`,
  );
  const list = { "a.b": "A definition.", "a.c": " ", "a.e": "Gone." };
  writeFileSync(join(root, "scripts/claims-not-testable.json"), JSON.stringify(list));
  expect(openClaims(root, [])).toEqual(["a.d"]);
  expect(notTestableProblems(root, [one])).toEqual([
    "a.b has a break: it can be tested",
    "a.c has no reason",
    "a.e is not a claim of the specification",
  ]);
});

test("the tests of a claim are those that name it, not a claim with a longer id", () => {
  expect("it adds [a.b]").toMatch(new RegExp(patternOf("a.b"), "u"));
  expect("it adds [a.b.c]").not.toMatch(new RegExp(patternOf("a.b"), "u"));
  expect("it adds [axb]").not.toMatch(new RegExp(patternOf("a.b"), "u"));
  const id = ["field-bug", "PB-x-01"].join(":");
  expect(`${id} stops`).toMatch(new RegExp(patternOf(id), "u"));
  expect(`${id}1 stops`).not.toMatch(new RegExp(patternOf(id), "u"));
});

test("candidate edits are whole lines that occur once, and an edit that only crashes proves nothing", () => {
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

test("type tests, .mjs tests, .tsx tests and tests that read sources from disk are judged in a copy", async () => {
  const root = mkdtempSync(join(tmpdir(), "bailiwick-claims-"));
  folders.push(root);
  const source = join(root, "packages/p/src");
  mkdirSync(source, { recursive: true });
  mkdirSync(join(root, "scripts"));
  const settings = (/** @type {string} */ folder, /** @type {string} */ include) =>
    `{ test: { name: "${folder.replace("packages/", "")}", root: "${folder}", include: ["${include}"], typecheck: { enabled: true, checker: "tsc", include: ["src/**/*.test-d.ts"] } } }`;
  writeFileSync(
    join(root, "vitest.config.mjs"),
    `export default { test: { projects: [${settings("packages/p", "src/**/*.test.{ts,tsx}")}, ${settings("scripts", "*.test.mjs")}] } };`,
  );
  const compilerOptions = { strict: true, module: "nodenext", target: "es2023", allowImportingTsExtensions: true };
  writeFileSync(
    join(root, "packages/p/tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true, skipLibCheck: true }, include: ["src"] }),
  );
  writeFileSync(join(root, "packages/p/package.json"), `{ "name": "p", "type": "module" }`);
  writeFileSync(join(source, "x.ts"), "export const sum = (a: number, b: number): number => a + b;\n");
  const test = (/** @type {string} */ id, /** @type {string} */ body) =>
    `${id === "disk" ? 'import { readFileSync } from "node:fs";\n' : ""}import { expect, expectTypeOf, test } from "vitest";\nimport { sum } from "${id === "mjs" ? "../packages/p/src" : "."}/x.ts";\ntest("it adds [a.${id}]", () => { ${body} });\n`;
  const names = { type: "x.test-d.ts", tsx: "x.test.tsx", disk: "y.test.ts" };
  writeFileSync(join(source, names.type), test("type", "expectTypeOf(sum(1, 2)).toEqualTypeOf<number>();"));
  writeFileSync(join(source, names.tsx), test("tsx", "expect(sum(1, 2)).toBe(3);"));
  const reads = 'expect(readFileSync(new URL("x.ts", import.meta.url), "utf8")).toContain("a + b");';
  writeFileSync(join(source, names.disk), test("disk", reads));
  writeFileSync(join(root, "scripts/x.test.mjs"), test("mjs", "expect(sum(1, 2)).toBe(3);"));
  const file = "packages/p/src/x.ts";
  const wrong = { file, find: "a + b", replace: "a" };
  const breaks = [
    { ...wrong, claim: "a.type", test: `packages/p/src/${names.type}`, find: "): number", replace: "): unknown" },
    { ...wrong, claim: "a.tsx", test: `packages/p/src/${names.tsx}` },
    { ...wrong, claim: "a.disk", test: `packages/p/src/${names.disk}`, inCopy: true },
    { ...wrong, claim: "a.mjs", test: "scripts/x.test.mjs" },
    { ...wrong, claim: "a.mjs", test: "scripts/x.test.mjs", replace: "b + a" },
  ];
  const tried = await tryBreaks(root, breaks, { fresh: true });
  expect(tried.map(({ break: { claim }, verdict, detail }) => [claim, verdict, detail])).toEqual([
    ["a.type", "noticed", undefined],
    ["a.tsx", "noticed", undefined],
    ["a.disk", "noticed", undefined],
    ["a.mjs", "noticed", undefined],
    ["a.mjs", "unnoticed", undefined],
  ]);
  expect(readFileSync(join(source, "x.ts"), "utf8")).toContain("a + b");
});

test("test-claims prints its usage and runs no break for --help, and refuses a flag that it does not know", () => {
  const call = (/** @type {string} */ flag) =>
    spawnSync(process.execPath, [join(import.meta.dirname, "test-claims.mjs"), flag], { encoding: "utf8" });
  for (const flag of ["--help", "-h"])
    expect(call(flag)).toMatchObject({ status: 0, stderr: "", stdout: expect.stringContaining("--find") });
  expect(call("--hlep")).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining('"--hlep"') });
});
