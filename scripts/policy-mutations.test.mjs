import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { functionAround, instrumented } from "./lib/instrument-source.mjs";
import { mutantsOf } from "./lib/mutants.mjs";
import { policyEdits, tryEdits } from "./lib/try-policy-edits.mjs";

/** @type {(source: string) => string[]} */
const edited = (source) => mutantsOf(source).map(({ text }) => text);

test("each branch, condition, statement, case, filter and member of a list is left out in turn", () => {
  expect(edited("if (a && b) c();")).toEqual(["if (false) c();", "if ((a)) c();", "if ((b)) c();", "if (a && b) ;"]);
  expect(edited("if (a) b(); else c();")).toEqual([
    "if (false) b(); else c();",
    "if (true) b(); else c();",
    "if (a) ; else c();",
    "if (a) b(); else ;",
  ]);
  expect(edited("const x = a ? b : c;")).toEqual(["const x = b;", "const x = c;"]);
  expect(edited("const x = a ?? b;")).toEqual(["const x = a;"]);
  expect(edited("const x = a < limit;")).toEqual(["const x = a <= limit;"]);
  expect(edited("const x = a < 5;")).toEqual([]);
  expect(mutantsOf("const x = a < 5;", { numbers: true }).map(({ text }) => text)).toEqual([
    "const x = a <= 5;",
    "const x = a < 6;",
  ]);
  expect(edited("const x = [...a, ...b];")).toEqual(["const x = [ ...b];", "const x = [...a, ];"]);
  expect(edited("const x = a.filter(b);")).toEqual(["const x = a;"]);
  expect(edited("const x = a.some(b);")).toEqual(["const x = true;", "const x = false;"]);
  expect(edited('switch (a) { case "b": case c: d(); default: }')).toEqual([
    "switch (a) {  case c: d(); default: }",
    'switch (a) { case "b":  d(); default: }',
    'switch (a) { case "b": case c: ; default: }',
  ]);
});

test("texts for people, and code that only makes it faster, are left alone", () => {
  expect(edited("const x = `${a ? b : c}`;")).toEqual([]);
  expect(edited("throw new ThatError(a ? b : c);")).toEqual([]);
  expect(edited("// Fast path: it is the same later.\nif (a) b();")).toEqual([]);
  expect(edited("// A cache: a missing entry is computed again.\nif (a) b();")).toEqual([]);
  expect(edited("// Speed\nif (a) b();")).toHaveLength(2);
  expect(() => edited("if (")).toThrow(/does not parse/u);
});

test("functions and loops of a tried source report that they run, and an edit is known by the function around it", () => {
  const source = "const f = (a: number) => ({ a });\nfunction g() { for (const x of y) h(x); }\n";
  expect(instrumented(source, "x.ts")).toBe(
    'const f = (a: number) => (__hit("x.ts:10"),({ a }));\nfunction g() {__hit("x.ts:34"); for (const x of y) {__step();h(x);} }\n',
  );
  expect(instrumented(source)).toBe(source.replace("h(x);", "{__step();h(x);}"));
  const around = functionAround(source, "x.ts");
  expect([source.indexOf("const"), source.indexOf("{ a }"), source.indexOf("h(x)")].map(around)).toEqual([
    undefined,
    "x.ts:10",
    "x.ts:34",
  ]);
});

/**
 * Edits without an effect on the policy, by their place. A leaf of `undefined` is not a limit, like one of `null`; an
 * argument without `the` has no `in`.
 */
const equivalent = new Set([
  // The answer of a call is in the journal before the call.
  "flow/flow-run.ts without its second condition: call === undefined || emitted === undefined",
  "flow/complete-list.ts no default in: args ?? null",
  'flow/composed-wording.ts always the first of: "the" in argument ? argument.in : undefined',
  "flow/stored-label.ts always the second of: toolCallId === undefined ? undefined : state.callsById.get(toolCallId)",
]);

/** @param {{ readonly name: string, readonly what: string }} edit */
function named({ name, what }) {
  return `${name} ${what}`;
}

test("an edit of a rule of the policy is noticed, and one that changes nothing survives [proof.policy-mutants]", async () => {
  const edits = policyEdits();
  expect(edits.length).toBeGreaterThan(1_000);
  const [first] = edits;
  if (first === undefined) throw new Error("The policy has no edits.");
  const { pathname } = new URL(`../packages/security/src/${first.name}`, import.meta.url);
  const nothing = { ...first, text: `${readFileSync(pathname, "utf8")}// Nothing.\n`, what: "nothing" };
  // About every eightieth, by a hash, so that a change of one rule does not change the sample of the others; `pnpm
  // test:policy-mutations` tries all of them.
  const isSampled = (/** @type {string} */ text) => createHash("sha256").update(text).digest().readUInt8(0) % 80 === 7;
  const verdicts = await tryEdits([nothing, ...edits.filter((edit) => isSampled(named(edit)))]);
  const survivors = verdicts.filter(({ edit, noticedBy }) => noticedBy === undefined && !equivalent.has(named(edit)));
  expect(survivors.map(({ edit }) => `${edit.name}:${edit.line} ${edit.what}`)).toEqual([
    `${first.name}:${first.line} nothing`,
  ]);
});
