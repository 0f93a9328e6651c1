import { expect, test } from "vitest";

import { readMandates } from "./planner-answer.ts";

const read = (more: object): unknown => readMandates({ asked: true, quote: "Send it.", args: {}, ...more }, "send");
const grant = (more: object): unknown => (read(more) as readonly { readonly grant?: unknown }[])[0]?.grant;
const argument = (given: object): unknown =>
  (grant({ args: { to: given } }) as { readonly args: { readonly to: unknown } } | undefined)?.args.to;
const reference = (given: object): unknown => argument({ ref: { tool: "list", path: "a", ...given } });

test("an answer of another form says nothing, and unclear values grant nothing [grants.planner]", () => {
  for (const answer of [undefined, null, "no", [], {}, { asked: "yes" }, { quote: "Send it." }])
    expect(readMandates(answer, "send")).toBeUndefined();
  for (const grants of [[], [{ tool: "pay", args: [] }]])
    expect(readMandates({ grants }, "send")).toEqual([{ mandate: { tool: "send", asked: false, quote: "" } }]);
  expect(readMandates({ grants: [{ tool: "send", args: [] }] }, "send")).toMatchObject([{ mandate: { asked: true } }]);
  for (const args of [undefined, null, [{}], { to: "bob" }, { to: {} }, { to: { eq: "bob" }, body: {} }])
    expect(grant({ args })).toBeUndefined();
});

test("a mandate has the five forms of the words, and the calls that the words ask for besides [grants.planner.mandate]", () => {
  const to = { eq: "bob" };
  const args = { to, cc: { oneOf: ["a"] }, n: { max: 5 }, day: { within: [1, 2] }, body: { composed: true } };
  const mandate = { tool: "send", asked: true, quote: "Send it." };
  expect(read({ args })).toEqual([{ mandate: { ...mandate, args }, grant: { tool: "send", args } }]);
  expect(read({ args: { to }, also: [{ quote: "And Ann.", args: { to: { eq: "ann" } } }, 5] })).toEqual([
    { mandate: { ...mandate, args: { to } }, grant: { tool: "send", args: { to } } },
    {
      mandate: { ...mandate, quote: "And Ann.", args: { to: { eq: "ann" } } },
      grant: { tool: "send", args: { to: { eq: "ann" } } },
    },
  ]);
  // A tool that the words do not ask for has no values.
  const none = { tool: "send", asked: false, quote: "" };
  expect(read({ asked: false, quote: "", args: { to }, also: [{ quote: "x", args: {} }] })).toEqual([
    { mandate: none },
  ]);
  expect(read({ args: undefined })).toEqual([{ mandate }]);
});

test("a list of grants for several tools counts for the tools that it names [grants.planner]", () => {
  const grants = [
    { tool: "send", args: [{ path: "to", eq: "bob" }] },
    { tool: "pay", args: {} },
  ];
  const args = { to: { eq: "bob" } };
  const mandate = { tool: "send", asked: true, quote: "", args };
  expect(readMandates({ grants }, "send")).toEqual([{ mandate, grant: { tool: "send", args }, isListed: true }]);
  expect(readMandates({ grants }, "drop")).toEqual([{ mandate: { tool: "drop", asked: false, quote: "" } }]);
});

test("a grant is parsed with all its conditions [grants.planner] [grants.shape]", () => {
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

test("an argument has one kind of condition; several of them grant nothing [grants.planner] [grants.shape]", () => {
  expect(argument({ eq: "bob" })).toEqual({ eq: "bob" });
  expect(argument({ eq: false })).toEqual({ eq: false });
  expect(argument({ eq: null })).toEqual({ eq: null });
  expect(argument({ oneOf: ["a", "b"] })).toEqual({ oneOf: ["a", "b"] });
  expect(argument({ max: 5 })).toEqual({ max: 5 });
  expect(argument({ composed: true })).toEqual({ composed: true });
  // A model that fills in every member writes null for those that it means to leave out.
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

test("a reference is parsed with all its members, or dropped [grants.planner] [grants.ref]", () => {
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

test("an unparsable call is dropped, so that less is granted [grants.planner] [flow.r4.grant-from]", () => {
  const args = [{ path: "channel", value: "general" }];
  expect(grant({ from: [{ tool: "list", args }, { tool: 5 }, null, { tool: "own", args: [{ path: "of" }] }] })).toEqual(
    {
      tool: "send",
      args: {},
      from: [{ tool: "list", args: { channel: "general" } }],
    },
  );
});

test("an unknown form, unreadable holes and an unknown measure are not read [grants.planner] [grants.shape]", () => {
  expect(argument({ the: "date", in: { tool: "list" } })).toEqual({ the: "date", in: { tool: "list" } });
  expect(argument({ the: "phone", in: { tool: "list" } })).toBeUndefined();
  expect(argument({ template: "Hi", holes: null })).toEqual({ template: "Hi", holes: {} });
  for (const holes of ["", {}, 5]) expect(argument({ template: "Hi", holes })).toBeUndefined();
  for (const counted of ["count", "length"])
    expect(reference({ of: counted })).toEqual({ ref: { tool: "list", path: "a", of: counted } });
  expect(reference({ of: "sum" })).toStrictEqual({ ref: { tool: "list", path: "a" } });
});

test("a range has two ends of one kind, numbers or texts [grants.planner] [grants.within]", () => {
  expect(argument({ within: [1, 2] })).toEqual({ within: [1, 2] });
  expect(argument({ within: ["2026-03-01", "2026-03-02"] })).toEqual({ within: ["2026-03-01", "2026-03-02"] });
  for (const within of [[], [1], [1, 2, 3], [1, "2"], [null, null], [true, false]])
    expect(argument({ within }), JSON.stringify(within)).toBeUndefined();
  expect(argument({ within: [1, 2], max: 5 })).toBeUndefined();
});

test("each hole has a name and either words, at most 60, or a reference [grants.planner] [grants.template]", () => {
  const holes = (given: unknown): unknown => argument({ template: "Hi {x}", holes: given });
  const filled = (x: unknown): unknown => ({ template: "Hi {x}", holes: { x } });
  expect(holes(undefined)).toEqual({ template: "Hi {x}", holes: {} });
  expect(holes(null)).toEqual({ template: "Hi {x}", holes: {} });
  expect(holes([{ name: "x", words: 3 }])).toEqual(filled({ words: 3 }));
  expect(holes([{ name: "x", words: 1 }])).toEqual(filled({ words: 1 }));
  expect(holes([{ name: "x", words: 100 }])).toEqual(filled({ words: 60 }));
  expect(holes([{ name: "x", words: null, ref: { tool: "list", path: "a" } }])).toEqual(
    filled({ ref: { tool: "list", path: "a" } }),
  );
  for (const one of [{ name: "x" }, { words: 3 }, { name: 5, words: 3 }, null, "x"])
    expect(holes([one]), JSON.stringify(one)).toBeUndefined();
  for (const words of ["3", 0, -1, null]) expect(holes([{ name: "x", words }]), String(words)).toBeUndefined();
  expect(holes([{ name: "x", ref: { tool: "list" } }])).toBeUndefined();
  expect(holes("x")).toBeUndefined();
});

test("a form is extracted only from the text of an unambiguous call [grants.planner] [grants.extraction]", () => {
  const the = (given: unknown, form: unknown = "email"): unknown => argument({ the: form, in: given });
  expect(the({ tool: "list" })).toStrictEqual({ the: "email", in: { tool: "list" } });
  expect(the({ tool: "list", where: [{ path: "name", value: "Ann" }] })).toEqual({
    the: "email",
    in: { tool: "list", where: { name: "Ann" } },
  });
  for (const given of [undefined, null, "list", {}, { tool: 5 }, { tool: "list", where: [{ path: "name" }] }])
    expect(the(given), JSON.stringify(given)).toBeUndefined();
  expect(the({ tool: "list" }, "phone")).toBeUndefined();
});

test("a choice among records is complete, or the reference is dropped [grants.planner] [grants.by]", () => {
  expect(reference({ by: { field: "age", pick: "max" } })).toEqual({
    ref: { tool: "list", path: "a", by: { field: "age", pick: "max" } },
  });
  expect(reference({ by: { field: "age", pick: "min" } })).toMatchObject({ ref: { by: { pick: "min" } } });
  expect(reference({ by: null, of: null, each: null })).toEqual({ ref: { tool: "list", path: "a" } });
  for (const by of [{}, { field: "age" }, { field: "age", pick: "most" }, { field: 5, pick: "max" }, "age", true])
    expect(reference({ by }), JSON.stringify(by)).toBeUndefined();
  expect([reference({ of: "count" }), reference({ of: "length" }), reference({ of: "sum" })]).toEqual([
    { ref: { tool: "list", path: "a", of: "count" } },
    { ref: { tool: "list", path: "a", of: "length" } },
    { ref: { tool: "list", path: "a" } },
  ]);
  expect([reference({ each: true }), reference({ each: false })]).toEqual([
    { ref: { tool: "list", path: "a", each: true } },
    { ref: { tool: "list", path: "a" } },
  ]);
});

test("a condition has one kind: a value, words or a beginning [grants.planner] [grants.where]", () => {
  const where = (given: object): unknown =>
    (reference({ where: [{ path: "b", ...given }] }) as { readonly ref: { readonly where: unknown } } | undefined)?.ref
      .where;
  expect(where({ prefix: "x" })).toEqual({ b: { prefix: "x" } });
  expect(where({ prefix: "x", value: null, contains: null })).toEqual({ b: { prefix: "x" } });
  expect(where({ prefix: "", value: "y" })).toEqual({ b: "y" });
  expect(where({ prefix: "x", value: "y" })).toBeUndefined();
  expect(where({ prefix: "x", contains: "y" })).toBeUndefined();
  expect(where({ contains: "y", value: "z" })).toBeUndefined();
});
