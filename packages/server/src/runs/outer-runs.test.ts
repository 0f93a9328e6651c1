import { memoryStore } from "@bailiwick/core";
import { expect, test } from "vitest";
import { outerRuns } from "./outer-runs.ts";

test.each([
  ["each in another millisecond", 1],
  ["seven in a millisecond", 7],
  ["all in one", Number.POSITIVE_INFINITY],
])("a page has its runs, for any number of inner runs between them, %s", async (_when, perMs) => {
  let made = 0;
  const store = memoryStore({
    clock: { now: () => 1_000 + Math.floor(made / perMs), setTimer: () => () => undefined },
  });
  const make = async (id: string, outer?: string): Promise<void> => {
    const parent = outer === undefined ? undefined : { runId: outer, toolCallId: "c" };
    await store.create({ id, agentId: "agent", definitionHash: "d", sessionId: "s", input: "", parent });
    made += 1;
  };
  for (const outer of ["first", "second", "third"]) {
    await make(outer);
    for (let n = 0; n < 4_500; n += 1) await make(`${outer}-${n}`, outer);
  }
  const page = async (limit: number) => (await outerRuns(store, {}, limit)).map(({ id }) => id);
  expect(await page(1)).toEqual(["third"]);
  expect(await page(2)).toEqual(["third", "second"]);
  expect(await page(50)).toEqual(["third", "second", "first"]);
  expect(await outerRuns(store, { agentId: "another" }, 50)).toEqual([]);
});
