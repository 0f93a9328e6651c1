import { memoryStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { calls, effects, evaluate, evaluation, type EvaluationOptions } from "../src/index.ts";
import { expect, test } from "vitest";
import { desk, deskScript, real } from "./desk.test.helper.ts";

const fakes = { refund: ({ id, amount }: { id: string; amount: number }) => ({ id, refunded: amount }) };
const refunds = (more: Partial<EvaluationOptions> = {}) =>
  evaluation({
    name: "refunds",
    agent: ({ store }) => desk(store),
    fakes,
    cases: [
      {
        id: "broken",
        input: "Refund order 7, it arrived broken.",
        expected: { effects: [{ tool: "refund", args: { id: "7" } }] },
      },
      { id: "where", input: "Where is order 9?", expected: { effects: [], calls: ["find_order"] } },
    ],
    must: [effects()],
    scorers: [calls()],
    ...more,
  });

test("an evaluation runs its cases with fakes, scores effects and calls, and has no real effect [evals.fakes]", async () => {
  const result = await evaluate(refunds());
  expect(result.verdict, result.text).toBe("passed");
  expect(result.scores).toMatchObject([
    { scorer: "effects", perfect: 2, scored: 2, notApplicable: 0 },
    { scorer: "calls", scored: 1, notApplicable: 1 },
  ]);
  expect(result.text).toContain("effects 2/2");
  expect(result.text).toContain("0 of 2 runs taken from the store");
  expect(real).toEqual([]);
});

test("a second start takes the runs from the store and calls no model; repeats are other runs [evals.store]", async () => {
  const store = memoryStore();
  const model = scriptedModel(deskScript);
  const agent = () => desk(store, {}, model);
  const first = await evaluate(refunds({ agent, repeat: 3 }), { store });
  const requests = model.requests.length;
  expect(requests).toBe(12);
  const second = await evaluate(refunds({ agent, repeat: 3 }), { store });
  expect(model.requests.length).toBe(requests);
  expect(second.runs).toEqual({ total: 6, fromStore: 6, notRun: 0 });
  expect(second.cases.map(({ rows }) => rows.length)).toEqual([6, 6]);
  expect(first.scores).toEqual(second.scores);
  const more = await evaluate(refunds({ agent, repeat: 4 }), { store });
  expect(more.runs.fromStore).toBe(6);
  const fresh = await evaluate(refunds({ agent }), { store, fresh: true });
  expect(fresh.runs.fromStore).toBe(0);
  const rescored = await evaluate(refunds({ agent, repeat: 4, scorers: [calls({ order: "subset" })] }), {
    store,
    rescore: true,
  });
  expect(rescored.runs).toEqual({ total: 8, fromStore: 8, notRun: 0 });
  expect((await evaluate(refunds({ agent, repeat: 5 }), { store, rescore: true })).runs.notRun).toBe(2);
});
