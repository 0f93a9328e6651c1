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
