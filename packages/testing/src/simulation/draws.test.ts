import { array, assert, constantFrom, dictionary, integer, option, property, tuple } from "fast-check";
import { expect, test } from "vitest";
import { draw, stream } from "./world/draw.ts";
import { EventQueue } from "./world/event-queue.ts";
import { faultKinds, faultOf } from "./world/fault.ts";
import { parseHistory, printHistory, type History } from "./world/history.ts";
import { shrink } from "./explore/shrink.ts";

const name = constantFrom(
  "w1/store.append tool.intent#2",
  "w2/bank.example.POST /payments/:id#1",
  "web/store.create#12",
);
const fault = tuple(constantFrom(...faultKinds), integer({ min: 1, max: 99_999 })).map(([kind, ms]) =>
  faultOf(kind, ms),
);
const faults = dictionary(name, fault);

test("a history survives its text [simulation.draws]", () => {
  assert(
    property(option(integer({ min: 0, max: 1e9 }), { nil: undefined }), faults, (order, given) => {
      const history: History = { ...(order !== undefined && { order }), faults: { ...given } };
      expect(parseHistory(printHistory(history))).toEqual(history);
    }),
  );
});

test("draws depend on the seed and the name alone, and spread evenly [simulation.draws]", () => {
  const names = Array.from({ length: 4_000 }, (_, index) => `w1/store.append#${index}`);
  const values = names.map((one) => draw(7, one));
  expect(
    names
      .toReversed()
      .map((one) => draw(7, one))
      .toReversed(),
  ).toEqual(values);
  expect(draw(8, "a")).not.toBe(draw(7, "a"));
  const rare = values.filter((value) => value < 0.02).length;
  expect(rare).toBeGreaterThan(40);
  expect(rare).toBeLessThan(130);
  const [one, other] = [stream(1, "a"), stream(1, "a")];
  expect([one(), one()]).toEqual([other(), other()]);
});

test("events leave the queue by their time, then by their age", () => {
  assert(
    property(array(integer({ min: 0, max: 20 })), (times) => {
      const queue = new EventQueue<{ readonly due: number; readonly age: number }>();
      const entries = times.map((due, age) => ({ due, age }));
      for (const entry of entries) queue.push(entry);
      const left = Array.from({ length: queue.size }, () => queue.pop());
      expect(left).toEqual(entries.toSorted((a, b) => a.due - b.due || a.age - b.age));
      expect(queue.pop()).toBeUndefined();
    }),
  );
});

test("shrinking keeps the faults that break the promise, in the usual order, with a shorter duration [simulation.shortest]", async () => {
  const noise = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`w2/store.claim#${index + 1}`, "lost" as const]),
  );
  const history: History = {
    order: 98,
    faults: { ...noise, "w1/a.b#1": "pauseAfter:8000", "w1/c.d#2": "die", "w9/x.y#1": "late:5" },
  };
  const needsBoth = async ({ faults: given }: History): Promise<boolean> =>
    /^pauseAfter:[4-8]\d\d\d$/.test(given["w1/a.b#1"] ?? "") && given["w1/c.d#2"] === "die";
  expect(await shrink(history, needsBoth)).toEqual({ faults: { "w1/a.b#1": "pauseAfter:4000", "w1/c.d#2": "die" } });
});
