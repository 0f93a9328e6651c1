import type { Grant, Tool } from "@bailiwick/core";
import { expect, test } from "vitest";

import { matchGrant } from "./grants.ts";
import { resolved } from "./resolved.test.helper.ts";
import { argumentLeaves } from "./argument-leaves.ts";
import { rolesOf } from "./tool-roles.ts";

function covers(
  args: Grant["args"],
  given: unknown,
  flow: Tool["flow"] = { payload: ["note"] },
  name = "pay",
): boolean {
  const tool = resolved({ name: "pay", sideEffectClass: "side-effecting", flow });
  const call = { toolName: "pay", args: given, leaves: argumentLeaves(tool, rolesOf(tool), given) };
  return matchGrant({ tool: name, args }, call, { calls: [], findTool: () => undefined }).matches;
}

test("a grant covers its tool, with the arguments that it lists [grants.exact-arguments]", () => {
  expect(covers({}, {})).toBe(true);
  expect(covers({}, {}, undefined, "other")).toBe(false);
  for (const given of [null, "x", 0]) expect([given, covers({}, given)]).toEqual([given, false]);
  expect(covers({ a: { eq: {} } }, { a: {} })).toBe(true);
  expect(covers({}, { a: {} })).toBe(false);
  expect(covers({ "a..b": { eq: 1 } }, {})).toBe(false);
});

test("a limit applies only to numbers, and a reference without a value never matches [grants.shape]", () => {
  for (const amount of ["5", "", null, true, [], Number.NaN, Number.NEGATIVE_INFINITY, 11])
    expect([amount, covers({ amount: { max: 10 } }, { amount })]).toEqual([amount, false]);
  expect(covers({ amount: { max: -1 } }, { amount: Number.NEGATIVE_INFINITY })).toBe(false);
  expect(covers({ amount: { max: 10 } }, { amount: 10 })).toBe(true);
  expect(covers({ amount: { ref: { tool: "none", path: "a" } } }, {})).toBe(false);
  expect(covers({ amount: { ref: { tool: "none", path: "a" } } }, { amount: undefined })).toBe(false);
});

test("an argument declared as authority is not composed; an undeclared one may be [grants.composed]", () => {
  const composed = { to: { composed: true } } as const;
  expect(covers(composed, { to: "bob" }, { authority: ["to"] })).toBe(false);
  expect(covers(composed, { to: "bob" }, { egress: ["to"] })).toBe(false);
  expect(covers(composed, { to: "bob" }, {})).toBe(true);
});

test("a hole whose reference has no value is never filled [grants.template]", () => {
  const hello = { note: { template: "Hi {x}", holes: { x: { ref: { tool: "none", path: "a" } } } } } as const;
  expect(covers(hello, { note: "Hi Ann" })).toBe(false);
});
