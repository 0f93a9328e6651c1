import { memoryStore, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { calls, effects, evaluate, evaluation } from "../src/index.ts";
import { desk, deskScript } from "./desk.test.helper.ts";

/** Counts the calls of a store by name. */
function counted(store: RunStore): { readonly store: RunStore; readonly count: () => number } {
  let count = 0;
  const proxy = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: readonly unknown[]): unknown => {
        count += 1;
        return Reflect.apply(value as (...all: readonly unknown[]) => unknown, target, args);
      };
    },
  });
  return { store: proxy, count: () => count };
}

test("store calls and model requests of N, 2N and 4N cases grow with their number [evals.growth]", async () => {
  const of = async (cases: number): Promise<readonly [store: number, requests: number]> => {
    const { store, count } = counted(memoryStore());
    const model = scriptedModel(deskScript);
    const made = evaluation({
      name: "growth",
      agent: ({ store: own }) => desk(own, {}, model),
      fakes: { refund: () => "refunded" },
      cases: Array.from({ length: cases }, (_, index) => ({
        input: `Refund order ${index}.`,
        expected: { effects: ["refund"], calls: ["refund"] },
      })),
      must: [effects()],
      scorers: [calls()],
    });
    expect((await evaluate(made, { store })).verdict).toBe("passed");
    return [count(), model.requests.length];
  };
  const small = await of(20);
  expect(small[1]).toBe(40);
  for (const times of [2, 4]) {
    const [store, requests] = await of(20 * times);
    expect(requests).toBe(small[1] * times);
    expect(store).toBeLessThanOrEqual(small[0] * times * 1.05);
  }
});
