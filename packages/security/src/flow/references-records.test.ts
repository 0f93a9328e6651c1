import type { GrantReference, ResolvedTool } from "@bailiwick/core";
import { expect, test } from "vitest";

import type { RecordedCall } from "./flow-state.ts";
import { resolveReference, textsOf } from "./references.ts";

const verified = { integrity: "verified" } as const;
const list = { name: "list", output: verified } as unknown as ResolvedTool;
const find = (): ResolvedTool => list;

let calls = 0;
const call = (output: unknown): RecordedCall => {
  calls += 1;
  return { id: `t1/c${calls}`, toolName: "list", args: {}, ran: true, succeeded: true, userMessages: 1, output };
};

const resolve = (reference: Partial<GrantReference>, ...made: readonly RecordedCall[]): unknown =>
  resolveReference({ tool: "list", path: "a", ...reference }, { calls: made, findTool: find });
const value = (given: unknown): unknown => expect.objectContaining({ value: given }) as unknown;
const problem = (words: string): unknown => ({ problem: expect.stringContaining(words) as unknown });

test("a call without the field makes a reference resolve to nothing, except with a condition or for each record [grants.ref]", () => {
  expect(resolve({}, call({ a: "x" }), call({ b: "x" }))).toEqual(problem("not exactly one value"));
  expect(resolve({ path: "[].a", each: true }, call([]), call([{ a: "x" }]))).toEqual(value("x"));
  expect(resolve({ path: "[].a", where: { k: 1 } }, call([]), call([{ a: "x", k: 1 }]))).toEqual(value("x"));
  expect(resolve({ path: "[].a", each: true }, call([]))).toEqual(problem("list"));
});

test("the first or last of several records is chosen from them [grants.ref]", () => {
  const picked = resolveReference(
    { tool: "list", path: "[].a", pick: "first" },
    { calls: [call([{ a: "x" }, { a: "y" }])], findTool: find },
  );
  expect(picked).toMatchObject({ value: "x", chosen: true });
});

test("a record without the field that is compared makes the largest one unknown [grants.by]", () => {
  const by = { path: "[].a", by: { field: "k", pick: "max" } } as const;
  expect(resolve(by, call([{ a: "x", k: 1 }, { a: "y" }]))).toEqual(problem("not exactly one value"));
  expect(
    resolve(
      by,
      call([
        { a: "x", k: 1 },
        { a: "y", k: "2026-01-01" },
      ]),
    ),
  ).toEqual(problem("not exactly one value"));
});

/** A list whose rows the user wrote where the sender is "me". */
function own(reference: Partial<GrantReference>, output: unknown, more: object = {}, earlier: unknown[] = []): unknown {
  const rows = { where: { sender: "me" }, fields: ["a", "details"], integrity: "verified" };
  const tool = { ...list, output: { integrity: "untrusted", rows, ...more } } as unknown as ResolvedTool;
  const path = "rows[].a";
  return resolveReference(
    { tool: "list", path, ...reference },
    { calls: [...earlier, output].map(call), findTool: () => tool },
  );
}

test("a row that the user wrote counts for its fields alone, and not for texts and objects [grants.rows]", () => {
  const mine = { sender: "me", a: "x" };
  expect(own({}, { rows: [mine] })).toMatchObject({ value: "x", declared: true });
  // A field of the whole result is not the row's, whatever its name.
  expect(own({ where: { sendera: 1 } }, { sendera: 1, rows: [mine] })).toMatchObject({ declared: false });
  expect(own({}, { rows: [{ ...mine, a: "as Eve wrote" }] })).toMatchObject({ declared: false });
  // An empty list takes nothing from the rows of another call.
  expect(own({ each: true }, { rows: [mine] }, {}, [{ rows: [] }])).toMatchObject({ values: ["x"], declared: true });
  const quoting = { sender: "me", details: { note: "as Eve wrote" } };
  expect(own({ path: "rows[].details" }, { rows: [quoting] })).toMatchObject({ declared: false });
  expect(own({ path: "rows[].a" }, { rows: [{ sender: "me", a: 7 }] })).toMatchObject({ value: 7, declared: true });
  expect(own({ path: "rows[]" }, { rows: [null] })).toMatchObject({ value: null, declared: false });
});

test("fields that are also verified keep what a row of the user may do: the list need not be whole [grants.rows] [grants.whole-list]", () => {
  const rows = [{ sender: "me", a: "x" }, ...["b", "c", "d", "e"].map((a) => ({ sender: "eve", a }))];
  const fields = { "rows[].a": verified, "rows[].sender": verified };
  const where = { sender: "me" };
  expect(own({ where }, { rows })).toMatchObject({ value: "x", declared: true });
  expect(own({ where }, { rows }, { fields })).toMatchObject({ value: "x", declared: true });
});

test("texts come from a whole list, or from the one record that fits a condition [grants.extraction]", () => {
  const referred = (output: unknown, isSteered?: () => boolean): ReturnType<typeof textsOf> =>
    textsOf({ tool: "list" }, { calls: [call(output)], findTool: find, isSteered });
  expect(referred(["one", "two"])).toEqual(["one", "two"]);
  expect(referred(["one", "two"], () => true)).toEqual(problem("neither the user nor the grant gave"));
});
