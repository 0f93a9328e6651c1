import type { JsonValue, ResolvedTool } from "@bailiwick/core";
import { expect, test } from "vitest";

import type { RecordedCall } from "./flow-state.ts";
import { referenceProblem } from "./reference-form.ts";
import type { GrantReference } from "@bailiwick/core";
import { sameJson } from "./compare-values.ts";
import { isGiven, namesCall, resolveReference, textsOf } from "./references.ts";

const verified = { integrity: "verified" } as const;
const list = { name: "list", output: verified } as unknown as ResolvedTool;
const find = (name: string): ResolvedTool | undefined => (name === "list" ? list : undefined);

let calls = 0;
const call = (output: unknown, more: Partial<RecordedCall> = {}): RecordedCall => {
  calls += 1;
  const made = { id: `t1/c${calls}`, toolName: "list", args: {}, ran: true, succeeded: true, userMessages: 1 };
  return { ...made, output, ...more };
};

/** The one value, or the problem. */
const valueOf = (made: ReturnType<typeof resolveReference>): unknown =>
  "problem" in made ? made : { value: made.value };

const resolve = (reference: Partial<GrantReference>, ...made: readonly RecordedCall[]): unknown =>
  valueOf(resolveReference({ tool: "list", path: "a", ...reference }, { calls: made, findTool: find }));
const value = (given: JsonValue): unknown => ({ value: given });
const problem = (words: string): unknown => ({ problem: expect.stringContaining(words) as unknown });

test("a reference names a call by its tool and by arguments that occur once [grants.ref]", () => {
  const made = { toolName: "list", args: { of: "ann", ids: [1, 1], one: [2], at: { x: 1 } } };
  const names = (args: Readonly<Record<string, JsonValue>>, tool = "list"): boolean => namesCall({ tool, args }, made);
  expect(names({})).toBe(true);
  expect(names({}, "other")).toBe(false);
  expect(names({ of: "ann" })).toBe(true);
  expect(names({ of: "ann", at: { x: 1 } })).toBe(true);
  expect(names({ of: "eve" })).toBe(false);
  expect(names({ no: "ann" })).toBe(false);
  expect(names({ "one[]": 2 })).toBe(true);
  expect(names({ "ids[]": 1 })).toBe(false);
  expect(names({ "of[": "ann" })).toBe(false);
});

test("a field's name alone means the only path that ends with it; with two such paths it resolves to nothing [grants.ref]", () => {
  const units = {
    units: [
      { unit: "3B", a: "t-1" },
      { unit: "4A", a: "t-2" },
    ],
    total: 2,
  };
  expect(resolve({ where: { unit: "3B" } }, call(units))).toEqual(value("t-1"));
  expect(resolve({}, call({ tenant: { a: "t-1" } }))).toEqual(value("t-1"));
  expect(resolve({}, call({ a: "t-1", other: { a: "t-2" } }))).toEqual(value("t-1"));
  expect(resolve({}, call({ one: { a: "t-1" }, other: { a: "t-1" } }))).toEqual(problem("not exactly one value"));
  expect(resolve({ path: "other.a" }, call({ in: { other: { a: "t-1" } } }))).toEqual(problem("not exactly one value"));
});

test("a field's name alone keeps the integrity of the path that it means [grants.ref] [grants.unique]", () => {
  const fields = { "rows[].a": { integrity: "verified" }, "rows[].k": { integrity: "verified" } };
  const named = (one: string): ResolvedTool | undefined =>
    one === "list" ? ({ ...list, output: { integrity: "untrusted", fields } } as unknown as ResolvedTool) : undefined;
  const declared = (output: unknown): unknown =>
    resolveReference({ tool: "list", path: "a", where: { k: 1 } }, { calls: [call(output)], findTool: named });
  expect(declared({ rows: [{ a: "x", k: 1 }] })).toMatchObject({ value: "x", declared: true });
  expect(declared({ others: [{ a: "x", k: 1 }] })).toMatchObject({ value: "x", declared: false });
});

test("a condition may be about the row around a value, or the whole result [grants.where]", () => {
  const pupils = {
    school: "North",
    results: [
      { name: "Mia", guardians: [{ mail: "anna@x", phone: 1 }] },
      { name: "Mika", guardians: [{ mail: "tom@x", phone: 2 }] },
    ],
    nextPage: null,
  };
  const mail = { path: "results[].guardians[].mail" };
  expect(resolve({ ...mail, where: { name: "Mia" } }, call(pupils))).toEqual(value("anna@x"));
  expect(resolve({ path: "mail", where: { name: "Mika" } }, call(pupils))).toEqual(value("tom@x"));
  expect(resolve({ ...mail, where: { name: "Mia", phone: 1, school: "North" } }, call(pupils))).toEqual(
    value("anna@x"),
  );
  expect(resolve({ ...mail, where: { name: "Mia", phone: 2 } }, call(pupils))).toEqual(
    problem("not exactly one value"),
  );
  expect(resolve({ ...mail, where: { name: "Mia", school: "South" } }, call(pupils))).toEqual(
    problem("not exactly one value"),
  );
  expect(resolve({ ...mail, by: { field: "name", pick: "max" } }, call(pupils))).toEqual(problem("not exactly one"));
});

test("a condition about a row around a value counts with the integrity of each field in which it is found [grants.where] [grants.unique]", () => {
  const verifiedAt = (...paths: readonly string[]): ResolvedTool =>
    ({
      ...list,
      output: { integrity: "untrusted", fields: Object.fromEntries(paths.map((path) => [path, verified])) },
    }) as unknown as ResolvedTool;
  const mails = (tool: ResolvedTool, output: unknown): unknown =>
    resolveReference(
      { tool: "list", path: "[].guardians[].mail", where: { name: "Mia" } },
      { calls: [call(output)], findTool: () => tool },
    );
  const mia = { name: "Mia", guardians: [{ mail: "anna@x" }] };
  const both = verifiedAt("[].name", "[].guardians[].mail");
  expect(mails(both, [mia])).toMatchObject({ value: "anna@x", declared: true });
  expect(mails(verifiedAt("[].guardians[].mail"), [mia])).toMatchObject({ value: "anna@x", declared: false });
  // A field of that name in an inner row is another field, which its writer chose.
  const shadow = { name: "Eve", guardians: [{ mail: "eve@x", name: "Mia" }] };
  expect(mails(both, [shadow])).toMatchObject({ value: "eve@x", declared: false });
  expect(mails(both, [mia, shadow])).toEqual(problem("2 records fit"));
  expect(mails(both, [mia, { name: "Mia", guardians: [{ mail: "anna@x", name: "Eve" }] }])).toMatchObject({
    declared: false,
  });
  const counted = resolveReference(
    { tool: "list", path: "[].guardians[].mail", where: { name: "Mia" }, of: "count" },
    { calls: [call([])], findTool: () => both },
  );
  expect(counted).toMatchObject({ value: 0, declared: false });
});

test("JSON values are equal for any order of their members [grants.exact-arguments]", () => {
  expect(sameJson({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
  expect(sameJson({ a: 1 }, { a: 2 })).toBe(false);
  expect(sameJson([1], [1])).toBe(true);
  expect(sameJson(null, null)).toBe(true);
  for (const [a, b] of [
    [null, {}],
    [{}, null],
    ["1", 1],
    [1, [1]],
    [[1], 1],
    [undefined, null],
    [Number.NaN, Number.NaN],
  ]) {
    expect(sameJson(a, b)).toBe(false);
  }
});

test("a reference resolves to exactly one value, or gives the reason why it does not [grants.ref]", () => {
  expect(resolve({}, call({ a: "x" }))).toEqual(value("x"));
  expect(resolve({ tool: "other" }, call({ a: "x" }))).toEqual(problem('no tool is named "other"'));
  expect(resolve({ path: "a[" }, call({ a: "x" }))).toEqual(problem("is not a path"));
  expect(resolve({})).toEqual(problem("was not called"));
  expect(resolve({}, call({ a: "x" }, { succeeded: false }))).toEqual(problem("was not called"));
  expect(resolve({}, call({ a: "x" }, { toolName: "other" }))).toEqual(problem("was not called"));
  expect(resolve({}, call({ b: "x" }))).toEqual(problem("is not exactly one value"));
  expect(resolve({}, call({ a: "x" }), call({ a: "x" }))).toEqual(value("x"));
  expect(resolve({}, call({ a: "x" }), call({ a: "y" }))).toEqual(problem("gave different values"));
  expect(
    resolve({ args: { n: 2 } }, call({ a: "x" }, { args: { n: 1 } }), call({ a: "y" }, { args: { n: 2 } })),
  ).toEqual(value("y"));
  expect(resolve({ path: "[].a" }, call([{ a: 1 }, { a: 1 }]))).toEqual(value(1));
  expect(resolve({ path: "[].a" }, call([{ a: 1 }, { a: 2 }]))).toEqual(problem("is not exactly one value"));
});

test("a pick selects one of several values [grants.ref]", () => {
  const some = call([{ a: 2 }, { a: 1 }, { a: 3 }, { a: 2 }]);
  const picked = (pick: GrantReference["pick"], from = some): unknown => resolve({ path: "[].a", pick }, from);
  expect(picked("first")).toEqual(value(2));
  expect(picked("last")).toEqual(value(2));
  expect(picked("last", call([{ a: 5 }, { a: 4 }]))).toEqual(value(4));
  expect(picked("min")).toEqual(value(1));
  expect(picked("max")).toEqual(value(3));
  // The last word is text; the smallest of words does not exist.
  expect(picked("last", call([{ a: "y" }, { a: "x" }]))).toEqual(value("x"));
  expect(picked("min", call([{ a: "y" }, { a: 1 }]))).toEqual(problem("is not exactly one value"));
  for (const pick of ["first", "last", "min", "max"] as const) {
    expect(picked(pick, call([]))).toEqual(problem("is not exactly one value"));
  }
});

test("a condition is a value that occurs once, or words [grants.ref.words]", () => {
  const items = [
    { a: 1, name: "Rent of May", tags: ["x"], odd: { contains: "x", more: 1 }, "a[": "k", none: null },
    { a: 2, name: "Current bill", tags: ["x", "x"], odd: { contains: 5 }, "a[": "l", none: 1 },
  ];
  const where = (condition: GrantReference["where"]): unknown =>
    resolve({ path: "[].a", where: condition }, call(items));
  const nothing = problem("is not exactly one value");
  expect(where({ name: "Rent of May" })).toEqual(value(1));
  expect(where({ name: { contains: "rent" } })).toEqual(value(1));
  expect(where({ name: { contains: "of  MAY" } })).toEqual(value(1));
  expect(where({ name: { contains: "may of" } })).toEqual(nothing);
  expect(where({ "tags[]": "x" })).toEqual(value(1));
  expect(where({ no: "x" })).toEqual(nothing);
  expect(where({ none: null })).toEqual(value(1));
  expect(where({ none: { contains: "1" } })).toEqual(nothing);
  expect(where({ "a[": "l" })).toEqual(value(2));
  // A value that only looks like words is treated as a value.
  expect(where({ odd: { contains: "x", more: 1 } })).toEqual(value(1));
  expect(where({ odd: { contains: 5 } as never })).toEqual(value(2));
  expect(where({ odd: { more: 1 } })).toEqual(nothing);
  expect(where({})).toEqual(nothing);
});

test("fields that it reads and selects by have declared integrity, items of lists too [grants.ref]", () => {
  const fields = { "[].a": verified, "[].tags[]": verified, "[].at.day": verified };
  const partly = { name: "list", output: { integrity: "untrusted", fields } } as unknown as ResolvedTool;
  const made = [call([{ a: 1, tags: ["x"], at: { day: 2, note: "n" } }])];
  const where = (condition: GrantReference["where"]): unknown =>
    resolveReference({ tool: "list", path: "[].a", where: condition }, { calls: made, findTool: () => partly });
  const found = (declared: boolean): unknown => ({ value: 1, values: [1], declared, chosen: false });
  expect(where(undefined)).toEqual(found(true));
  expect(where({ "tags[]": "x" })).toEqual(found(true));
  expect(where({ "at.day": 2 })).toEqual(found(true));
  expect(where({ "at.note": "n" })).toEqual(found(false));
});

test("a computed value is a separate number, and only that is rounded [grants.ref.computed]", () => {
  const computed = (more: Partial<GrantReference>, field: unknown): unknown => resolve(more, call({ a: field }));
  expect(computed({ times: 2 }, 5)).toEqual(value(10));
  expect(computed({ plus: 2 }, 5)).toEqual(value(7));
  expect(computed({ times: 2, plus: -10 }, 5)).toEqual(value(0));
  expect(computed({ times: 2, plus: -11 }, 5)).toEqual(problem("above zero"));
  expect(computed({ times: 2 }, -5)).toEqual(value(-10));
  expect(computed({ times: 1e10 }, 1e300)).toEqual(problem("above zero"));
  expect(computed({ times: 2 }, "5")).toEqual(problem("is not a number"));
  expect(computed({}, -5)).toEqual(value(-5));
  const plain: GrantReference = { tool: "list", path: "a" };
  expect(isGiven(plain, 3.333, 3.333)).toBe(true);
  expect(isGiven(plain, 3.333, 3.33)).toBe(false);
  expect(isGiven({ ...plain, times: 1 }, 3.333, 3.33)).toBe(true);
  expect(isGiven({ ...plain, plus: 1 }, 3.333, 3.34)).toBe(false);
  expect(isGiven({ ...plain, times: 1 }, 0.3, 0.1 + 0.2)).toBe(true);
  expect(isGiven({ ...plain, times: 1 }, 3, "3")).toBe(false);
  expect(isGiven({ ...plain, times: 1 }, "x", "x")).toBe(true);
  expect(isGiven({ ...plain, times: 1 }, "x", 1)).toBe(false);
});

test("a reference that could never resolve is refused when it is written [grants.ref.computed] [grants.ref.words]", () => {
  const plain: GrantReference = { tool: "list", path: "a" };
  expect(referenceProblem(plain)).toBeUndefined();
  expect(referenceProblem({ ...plain, times: 0.5, plus: -1, where: { b: { contains: "x" }, c: "" } })).toBeUndefined();
  expect(referenceProblem({ ...plain, times: Number.NaN })).toContain("finite number");
  expect(referenceProblem({ ...plain, plus: Number.NEGATIVE_INFINITY })).toContain("finite number");
  expect(referenceProblem({ ...plain, where: { b: { contains: " " } } })).toContain("contains nothing");
});

test("the field that a reference selects by counts among those of declared integrity [grants.by]", () => {
  const partly = { name: "list", output: { integrity: "untrusted", fields: { "[].a": verified } } };
  const by = { field: "b", pick: "max" } as const;
  const made = call([
    { a: 1, b: 2 },
    { a: 3, b: 4 },
  ]);
  const found = resolveReference(
    { tool: "list", path: "[].a", by },
    { calls: [made], findTool: () => partly as unknown as ResolvedTool },
  );
  expect(found).toEqual({ value: 3, values: [3], declared: false, chosen: true });
});

test("two records with the largest field select none [grants.by]", () => {
  const by = { field: "b", pick: "max" } as const;
  const equal = [
    { a: 1, b: 2 },
    { a: 3, b: 2 },
  ];
  expect(resolve({ path: "[].a", by }, call(equal))).toEqual(problem("is not exactly one value"));
});

test("records are ranked only by numbers or only by dates [grants.by]", () => {
  const by = { field: "b", pick: "max" } as const;
  const nothing = problem("is not exactly one value");
  expect(resolve({ path: "[].a", by }, call([{ a: 1, b: "much" }]))).toEqual(nothing);
  const mixed = [
    { a: 1, b: 2 },
    { a: 3, b: "2026-03-03" },
  ];
  expect(resolve({ path: "[].a", by }, call(mixed))).toEqual(nothing);
});

/** A list in which rows with `owner` "me" are the user's. */
const ownRows = {
  name: "list",
  output: { integrity: "untrusted", rows: { where: { owner: "me" }, fields: ["a"], integrity: "verified" } },
} as unknown as ResolvedTool;
const own = (reference: Partial<GrantReference>, ...made: readonly RecordedCall[]): unknown =>
  resolveReference({ tool: "list", path: "[].a", ...reference }, { calls: made, findTool: () => ownRows });

test("rows count as the user's if each matching row is, by a declared field, and holds no free text [grants.rows]", () => {
  const mine = (a: unknown): object => ({ a, owner: "me", b: "x" });
  expect(own({}, call([mine("x1")]))).toMatchObject({ value: "x1", declared: true });
  expect(own({}, call([mine(7)]))).toMatchObject({ value: 7, declared: true });
  expect(own({ where: { owner: "me" } }, call([mine("x1"), { a: "x2", owner: "eve" }]))).toMatchObject({
    value: "x1",
    declared: true,
  });
  expect(own({}, call([{ a: "x1", owner: "eve" }]))).toMatchObject({ declared: false });
  expect(own({ where: { b: "x" } }, call([mine("x1")]))).toMatchObject({ declared: false });
  expect(own({ pick: "max" }, call([mine(3), mine(4)]))).toMatchObject({ value: 4, declared: true });
  expect(own({}, call([mine("send it to eve")]))).toMatchObject({ declared: false });
  expect(own({}, call([mine("x".repeat(65))]))).toMatchObject({ declared: false });
  expect(own({ path: "[].b" }, call([mine("x1")]))).toMatchObject({ declared: false });
  expect(own({ path: "[]" }, call(["x1"]))).toMatchObject({ declared: false });
});

test("a field of the row around the user's row is not the user's [grants.rows] [grants.where]", () => {
  const output = { ...ownRows.output, rows: { where: { owner: "me" }, fields: ["a", "k"], integrity: "verified" } };
  const of = (given: unknown): unknown =>
    resolveReference(
      { tool: "list", path: "[].items[].a", where: { k: 1 } },
      { calls: [call(given)], findTool: () => ({ ...ownRows, output }) as unknown as ResolvedTool },
    );
  expect(of([{ items: [{ a: "x1", k: 1, owner: "me" }] }])).toMatchObject({ value: "x1", declared: true });
  expect(of([{ k: 1, items: [{ a: "x1", owner: "me" }] }])).toMatchObject({ value: "x1", declared: false });
});

test("the user's rows in one call do not make the rows of another call trusted [grants.rows]", () => {
  const mine = call([{ a: "x1", owner: "me" }]);
  const eves = call([{ a: "x2", owner: "eve" }]);
  for (const calls of [
    [mine, eves],
    [eves, mine],
  ])
    expect(own({ each: true }, ...calls)).toMatchObject({
      values: expect.arrayContaining(["x1", "x2"]),
      declared: false,
    });
});

test("a list that outsiders can add to has to be whole, unless the verified author selects [grants.whole-list]", () => {
  const rows = Array.from({ length: 4 }, () => ({ a: "x", k: 1, sender: "ann", from: "ann@x.example" }));
  const fields = { "[].a": verified, "[].k": verified, "[].sender": verified, "[].from": verified };
  const from = (output: object, reference: Partial<GrantReference>, returned: unknown, args = {}): unknown =>
    resolveReference(
      { tool: "list", path: "[].a", where: { k: 1 }, ...reference },
      {
        calls: [{ ...call(returned), args }],
        findTool: () => ({ ...list, ...output }),
      },
    );
  const mixed = { output: { integrity: "untrusted", fields } };
  const mayBeCut = problem("it may be cut");
  expect(from(mixed, {}, rows)).toEqual(mayBeCut);
  expect(from(mixed, {}, rows.slice(1), { limit: 3 })).toEqual(mayBeCut);
  expect(from(mixed, {}, rows.slice(1))).toMatchObject({ value: "x", declared: true });
  expect(from(mixed, { each: true }, rows)).toMatchObject({ declared: true });
  const bounded = (maxRows: number): object => ({ output: { ...mixed.output, maxRows } });
  expect(from(bounded(5), {}, rows)).toMatchObject({ value: "x", declared: true });
  expect(from(bounded(5), {}, [...rows, rows[0]])).toEqual(mayBeCut);
  expect(from(bounded(5), {}, rows, { limit: 4 })).toEqual(mayBeCut);
  // Outsiders can add no record to a result that is verified as a whole.
  expect(from({ output: verified }, {}, rows)).toMatchObject({ value: "x", declared: true });
  const byAuthor = (where: GrantReference["where"], more: Partial<GrantReference> = {}): unknown =>
    from(mixed, { where, ...more }, rows);
  for (const where of [{ sender: "ann" }, { from: "ann@x.example" }, { k: 1, sender: "ann" }])
    expect(byAuthor(where), JSON.stringify(where)).toMatchObject({ value: "x", declared: true });
  for (const where of [{ sender: { contains: "ann" } }, { from: { prefix: "ann@" } }, { from: "ann" }, { sender: "" }])
    expect(byAuthor(where), JSON.stringify(where)).not.toHaveProperty("value");
  // The record that the grant looks for could be among the displaced ones.
  for (const more of [{ pick: "last" }, { by: { field: "k", pick: "max" } }, { of: "count" }] as const)
    expect(byAuthor({ sender: "ann" }, more), JSON.stringify(more)).toEqual(mayBeCut);
  // An author field that is not verified is content like any other field.
  const loose = { output: { integrity: "untrusted", fields: { "[].a": verified } } };
  expect(
    from(loose, { where: { sender: "ann" } }, [...rows.slice(1).map((row) => ({ ...row, sender: "bob" })), rows[0]]),
  ).toEqual(mayBeCut);
});

test("undeclared data: one record of a complete list, a selected one, or none [grants.unique]", () => {
  const loose = { name: "list", output: { integrity: "untrusted" } } as unknown as ResolvedTool;
  const found = (reference: Partial<GrantReference>, output: unknown, args = {}): unknown =>
    resolveReference(
      { tool: "list", path: "[].a", ...reference },
      { calls: [{ ...call(output), args }], findTool: () => loose },
    );
  expect(found({}, [{ a: 1 }])).toEqual({ value: 1, values: [1], declared: false, chosen: false });
  expect(found({}, [{ a: 1 }, { a: 1 }])).toEqual(problem("2 records fit"));
  expect(found({ pick: "first" }, [{ a: 1 }])).toEqual(problem("no declared integrity"));
  expect(found({}, [{ a: 1 }], { limit: 1 })).toEqual(problem("may be cut"));
  const rows = [
    { a: 1, b: "2026-03-01" },
    { a: 2, b: "2026-03-02" },
  ];
  const by = (pick: "max" | "min"): unknown => found({ by: { field: "b", pick } }, rows);
  expect([by("max"), by("min")]).toMatchObject([
    { value: 2, chosen: true },
    { value: 1, chosen: true },
  ]);
  expect(found({ by: { field: "b", pick: "max" } }, [rows[1], { a: 3, b: "2026-03-02" }])).toEqual(
    problem("not exactly one value"),
  );
  expect(found({ by: { field: "b[]", pick: "max" } }, [{ a: 1, b: [1, 2] }])).toEqual(problem("not exactly one value"));
  expect(found({ of: "count" }, rows)).toMatchObject({ value: 2, chosen: true });
  expect(found({ of: "count", where: { a: 9 } }, rows)).toMatchObject({ value: 0, chosen: true });
  expect(found({ of: "length" }, [{ a: "four" }])).toMatchObject({ value: 4, chosen: true });
  expect(found({ of: "length" }, [{ a: ["x"] }])).toMatchObject({ value: 1 });
  expect(found({ of: "length" }, [{ a: 7 }])).toEqual(problem("not exactly one value"));
  expect(found({ each: true }, rows)).toMatchObject({ values: [1, 2], chosen: true });
  expect(found({ each: true, where: { a: 9 } }, rows)).toEqual(problem("not exactly one value"));
});

test("a condition is a value, words or the beginning of a text, for a field that occurs once [grants.where]", () => {
  const rows = [{ a: 1, name: "Ann Lee", n: 5 }];
  const fits = (where: GrantReference["where"]): boolean =>
    "value" in (resolve({ path: "[].a", where }, call(rows)) as object);
  expect(
    [{ name: "Ann Lee" }, { n: "5" }, { name: { contains: "lee" } }, { name: { prefix: "ANN" } }].map(fits),
  ).toEqual([true, true, true, true]);
  expect(
    [{ name: "Ann" }, { x: 1 }, { name: { contains: "le" } }, { name: { prefix: "lee" } }, { n: { prefix: "5" } }].map(
      fits,
    ),
  ).toEqual([false, false, false, false, false]);
});

test("a value is extracted from the only matching record, of successful calls and whole lists [grants.extraction]", () => {
  const of = (...calls: readonly RecordedCall[]): unknown =>
    textsOf({ tool: "list", where: { name: "Ann" } }, { calls, findTool: find });
  const ann = { name: "Ann", note: "x@y.example" };
  expect(of(call([ann, { name: "Bob", note: "z" }]))).toEqual(["Ann", "x@y.example"]);
  expect(of(call(ann))).toEqual(["Ann", "x@y.example"]);
  expect(of(call([ann, ann]))).toEqual(problem("2 records"));
  expect(of(call([ann]), call([ann]))).toEqual(problem("2 records"));
  expect(of(call([]))).toEqual(problem("0 records"));
  expect(of({ ...call([ann]), succeeded: false })).toEqual(problem("was not called"));
  expect(of({ ...call([ann]), toolName: "other" })).toEqual(problem("was not called"));
  expect(of({ ...call([ann]), args: { limit: 1 } })).toEqual(problem("may be cut"));
});
