import { expect, test } from "vitest";

import { readGrants } from "./planner-answer.ts";

const grant = (more: object): unknown => readGrants({ grants: [{ tool: "send", args: [], ...more }] })[0];
const argument = (given: object): unknown =>
  (grant({ args: [{ path: "to", ...given }] }) as { readonly args: { readonly to: unknown } } | undefined)?.args.to;
const reference = (given: object): unknown => argument({ ref: { tool: "list", path: "a", ...given } });

test("[grants.planner] what is no answer gives no leave", () => {
  for (const answer of [
    undefined,
    null,
    "no",
    [],
    {},
    { grants: null },
    { grants: "x" },
    { grants: [null, 1, "x", []] },
  ]) {
    expect(readGrants(answer)).toEqual([]);
  }
  expect(grant({ tool: 5 })).toBeUndefined();
  expect(grant({ args: undefined })).toBeUndefined();
  expect(grant({ args: { to: "bob" } })).toBeUndefined();
  expect(grant({ args: [null] })).toBeUndefined();
  expect(grant({ args: [{ eq: 1 }] })).toBeUndefined();
  expect(grant({ args: [{ path: "to" }] })).toBeUndefined();
  expect(grant({ args: [{ path: "to", eq: "bob" }, { path: "body" }] })).toBeUndefined();
});

test("[grants.planner] [grants.shape] a grant is read with all that it says", () => {
  expect(grant({})).toEqual({ tool: "send", args: {} });
  expect(grant({ when: "it is due", count: 2, from: [{ tool: "list" }] })).toEqual({
    tool: "send",
    args: {},
    when: "it is due",
    count: 2,
    from: [{ tool: "list" }],
  });
  expect(grant({ when: "", count: "2", from: [] })).toEqual({ tool: "send", args: {} });
  expect(grant({ when: 5, from: "list" })).toEqual({ tool: "send", args: {} });
});

test("[grants.planner] [grants.shape] an argument has one kind of leave; what says several says nothing", () => {
  expect(argument({ eq: "bob" })).toEqual({ eq: "bob" });
  expect(argument({ eq: false })).toEqual({ eq: false });
  expect(argument({ eq: null })).toEqual({ eq: null });
  expect(argument({ oneOf: ["a", "b"] })).toEqual({ oneOf: ["a", "b"] });
  expect(argument({ max: 5 })).toEqual({ max: 5 });
  expect(argument({ composed: true })).toEqual({ composed: true });
  // A model that fills in every member leaves out by null.
  expect(argument({ eq: "bob", oneOf: null, max: null, ref: null, composed: null })).toEqual({ eq: "bob" });
  expect(argument({ eq: null, max: 5, composed: false })).toEqual({ max: 5 });
  const all = { eq: "bob", oneOf: ["a"], max: 5, composed: true, ref: { tool: "list", path: "a" } };
  const names = Object.keys(all) as (keyof typeof all)[];
  for (const one of names) {
    for (const other of names) {
      if (one !== other) expect(argument({ [one]: all[one], [other]: all[other] })).toBeUndefined();
    }
  }
  expect(argument({ eq: "bob", ref: [] })).toEqual({ eq: "bob" });
  expect(argument({ composed: "yes" })).toBeUndefined();
  expect(argument({ max: "5" })).toBeUndefined();
  expect(argument({ oneOf: "a" })).toBeUndefined();
  expect(argument({ ref: "list" })).toBeUndefined();
});

test("[grants.planner] [grants.ref] a reference is read with all that it says, or not at all", () => {
  expect(reference({})).toStrictEqual({ ref: { tool: "list", path: "a" } });
  const where = [
    { path: "name", contains: "rent" },
    { path: "of", value: "me", contains: null },
    { path: "at", value: 0 },
  ];
  const args = [{ path: "n", value: 5 }];
  expect(reference({ args, where, pick: "last", times: 0.1, plus: -6 })).toEqual({
    ref: {
      tool: "list",
      path: "a",
      args: { n: 5 },
      where: { name: { contains: "rent" }, of: "me", at: 0 },
      pick: "last",
      times: 0.1,
      plus: -6,
    },
  });
  for (const pick of ["first", "last", "min", "max"]) {
    expect(reference({ pick })).toEqual({ ref: { tool: "list", path: "a", pick } });
  }
  const empty = { args: [], where: null, pick: "middle", times: null, plus: null };
  expect(reference(empty)).toStrictEqual({ ref: { tool: "list", path: "a" } });
  for (const unclear of [
    { tool: 5 },
    { path: 5 },
    { args: "n" },
    { args: [{ path: "n" }] },
    { args: [{ value: 5 }] },
    { args: [5] },
    { where: {} },
    { where: [{ path: "of" }] },
    { where: [{ value: "me" }] },
    { where: [null] },
    { where: [{ path: "of", value: "me", contains: "you" }] },
    { times: "0.1" },
    { plus: "6" },
  ]) {
    expect([unclear, reference(unclear)]).toEqual([unclear, undefined]);
  }
});

test("[grants.planner] [flow.r4.grant-from] a call that cannot be read is left out: fewer are less leave", () => {
  const args = [{ path: "channel", value: "general" }];
  expect(grant({ from: [{ tool: "list", args }, { tool: 5 }, null, { tool: "own", args: [{ path: "of" }] }] })).toEqual(
    {
      tool: "send",
      args: {},
      from: [{ tool: "list", args: { channel: "general" } }],
    },
  );
});

test("[grants.planner] [grants.shape] an unknown form, unreadable holes and an unknown measure are not read", () => {
  expect(argument({ the: "date", in: { tool: "list" } })).toEqual({ the: "date", in: { tool: "list" } });
  expect(argument({ the: "phone", in: { tool: "list" } })).toBeUndefined();
  expect(argument({ template: "Hi", holes: null })).toEqual({ template: "Hi", holes: {} });
  for (const holes of ["", {}, 5]) expect(argument({ template: "Hi", holes })).toBeUndefined();
  for (const counted of ["count", "length"])
    expect(reference({ of: counted })).toEqual({ ref: { tool: "list", path: "a", of: counted } });
  expect(reference({ of: "sum" })).toStrictEqual({ ref: { tool: "list", path: "a" } });
});
