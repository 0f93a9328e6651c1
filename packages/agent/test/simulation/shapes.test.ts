import { simulate } from "@bailiwick/testing/simulation";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { expect, test } from "vitest";
import { hashesOf } from "./hashes.test.helper.ts";
import { shape, shapeNames } from "./shapes.test.helper.ts";

/** Death of processes alone. */
const deaths = {
  pauseAfter: false,
  pause: false,
  late: false,
  lost: false,
  away: false,
  lostWakeUp: false,
  clock: false,
} as const;

test.each(shapeNames)("no death of a process breaks a promise of %s [simulation.shapes]", async (name) => {
  const { broken, text, histories } = await simulate(shape(name, { faults: deaths }), { seeds: 12, single: false });
  expect(broken, text).toEqual([]);
  expect(histories).toBe(12);
});

test.each(shapeNames)("histories of %s repeat the same events [simulation.repeats]", async (name) => {
  const seeds = [1, 2, 3, 4];
  const first = await hashesOf(shape(name), seeds);
  expect((await hashesOf(shape(name), seeds.toReversed())).toReversed()).toEqual(first);
});

test("the SQLite store is played in the thread of the simulation, and repeats the same events [simulation.repeats]", async () => {
  const simulated = shape("an agent with approvals", {
    store: ({ file, clock }) => sqliteStore({ path: file, thread: false, clock }),
    faults: deaths,
  });
  const { broken, text } = await simulate(simulated, { seeds: 6, single: false });
  expect(broken, text).toEqual([]);
  const seeds = [1, 2, 3];
  expect(await hashesOf(simulated, seeds)).toEqual(await hashesOf(simulated, seeds));
});

test("the SQLite store with its own thread leaves the simulation, and the error says which option keeps it in [simulation.escapes]", async () => {
  const simulated = shape("an agent", { store: ({ file }) => sqliteStore({ path: file }) });
  await expect(simulate(simulated, { seeds: 0, single: false })).rejects.toMatchObject({
    code: "SIMULATION_ESCAPE",
    message: expect.stringContaining("sqliteStore({ thread: false })") as string,
  });
});
