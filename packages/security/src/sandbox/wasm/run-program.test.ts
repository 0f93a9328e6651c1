import type { ProgramCall, ProgramRequest, ProgramState } from "@bailiwick/core";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { createSandbox } from "../create-sandbox.ts";
import { codeOf } from "../module-world.test.helper.ts";

const { runProgram } = createSandbox();

const request = (source: string, steps: ProgramRequest["steps"] = []): ProgramRequest => ({
  source,
  steps,
  tools: ["a", "b"],
  now: 1_700_000_000_000,
  seed: 7,
});

const call = (name: string, args: unknown, result: unknown = null): ProgramCall => ({
  name,
  args: JSON.stringify(args),
  result: { ok: true, json: JSON.stringify(result) },
});

test("time does not advance, and random numbers follow from the seed [sandbox.code-mode.deterministic]", async () => {
  const source = `const seen = [Date.now(), new Date().toISOString(), new Date().getFullYear(), typeof performance, Math.random(), Math.random()];
    return [...seen, typeof WeakRef, typeof FinalizationRegistry, new Date(0).constructor === Date, new Date(2026, 5, 1).getTimezoneOffset()];`;
  const first = await runProgram(request(source));
  expect(await runProgram(request(source))).toEqual(first);
  expect(await runProgram({ ...request(source), seed: 8 })).not.toEqual(first);
  const seen = JSON.parse((first as Extract<ProgramState, { kind: "returned" }>).json ?? "") as unknown[];
  expect(seen[4]).not.toBe(seen[5]);
  expect([...seen.slice(0, 4), ...seen.slice(6)]).toEqual([
    1_700_000_000_000,
    "2023-11-14T22:13:20.000Z",
    2023,
    "undefined",
    "undefined",
    "undefined",
    true,
    0,
  ]);
});

const both = `const one = await tools.a({ x: 1, y: [2] }); return tools.b({ one });`;

test.each([
  ["another tool", [[call("b", { x: 1, y: [2] })]]],
  ["other arguments", [[call("a", { x: 2, y: [2] })]]],
  ["more calls side by side", [[call("a", { x: 1, y: [2] }), call("b", {})]]],
  ["more steps than it makes", [[call("a", { x: 1, y: [2] }, 5)], [call("b", { one: 5 })], [call("a", {})]]],
])("a record of %s ends the program [sandbox.code-mode.deterministic]", async (_, steps) => {
  expect(await codeOf(runProgram(request(both, steps)))).toBe("SANDBOX_ENDED");
});

test("a program continues from its record, for any key order [sandbox.code-mode.once]", async () => {
  const steps = [[{ ...call("a", {}, 5), args: `{ "y": [2], "x": 1 }` }]];
  expect(await runProgram(request(both, steps))).toEqual({ kind: "calls", calls: [{ name: "b", args: `{"one":5}` }] });
});

test("a program that cuts a text inside an emoji continues from its record [sandbox.code-mode.once]", async () => {
  const source = `return tools.a({ text: "Hi \\u{1F600}".slice(0, 4) });`;
  const made = await runProgram(request(source));
  expect(made).toMatchObject({ kind: "calls", calls: [{ name: "a" }] });
  expect(await runProgram(request(source, [[call("a", { text: "Hi \uFFFD" }, 5)]]))).toMatchObject({ json: "5" });
});

const lost = {
  "new Map([[1, 2]])": "a Map",
  "new Set([1])": "a Set",
  "new Uint8Array([1])": "bytes",
  "/x/": "a RegExp",
  'new Error("x")': "an Error",
  "Promise.resolve(1)": "a Promise",
  "0 / 0": "NaN",
  "1 / 0": "Infinity",
  "10n": "a bigint",
  "() => 1": "a function",
  'Symbol("x")': "a symbol",
};

test.each(Object.entries(lost))(
  "a value that JSON would lose is refused with its place, as a result and as an argument: %s [sandbox.code-mode.plain]",
  async (value, named) => {
    const message = (what: string): unknown =>
      expect.objectContaining({
        kind: "threw",
        message: expect.stringContaining(`${what} has ${named} at "list.0.x". Make plain JSON of it first.`),
      });
    const made = `{ list: [{ x: ${value} }] }`;
    expect(await runProgram(request(`return ${made};`))).toEqual(message("The result of the program"));
    expect(await runProgram(request(`return tools.a(${made});`))).toEqual(message("The argument of a"));
  },
);

test("dates, values with toJSON, members that are undefined and repeated objects are JSON [sandbox.code-mode.plain]", async () => {
  const source = `const one = { at: new Date(0), gone: undefined, own: { toJSON: () => 5 } }; return [one, one, undefined, -0];`;
  const one = { at: "1970-01-01T00:00:00.000Z", own: 5 };
  expect(await runProgram(request(source))).toMatchObject({ json: JSON.stringify([one, one, null, 0]) });
  expect(await runProgram(request("tools.a; return;"))).toMatchObject({ kind: "returned", json: undefined });
});

test("a program replayed from the start at each step gives the same result as one run [sandbox.code-mode.once]", async () => {
  const plans = fc.array(fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 3 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const source = `
        const plan = ${JSON.stringify(plan)};
        let sum = 0;
        for (const names of plan) {
          const results = await Promise.all(names.map((name, at) => tools[name]({ sum, at, luck: Math.random() < 2 })));
          for (const each of results) sum += each;
        }
        return sum;`;
      const answer = (name: string, args: unknown): number => {
        const { sum, at } = args as { readonly sum: number; readonly at: number };
        return name === "a" ? (sum + at + 1) % 97 : (sum * 3 + at) % 89;
      };
      let expected = 0;
      for (const names of plan) {
        const results = names.map((name, at) => answer(name, { sum: expected, at }));
        for (const each of results) expected += each;
      }
      const steps: ProgramCall[][] = [];
      for (;;) {
        const state = await runProgram(request(source, steps));
        if (state.kind !== "calls") {
          expect(state).toEqual({ kind: "returned", json: String(expected), logs: [] });
          expect(steps).toHaveLength(plan.length);
          return;
        }
        steps.push(state.calls.map(({ name, args }) => call(name, JSON.parse(args), answer(name, JSON.parse(args)))));
      }
    }),
    { numRuns: 15 },
  );
});
