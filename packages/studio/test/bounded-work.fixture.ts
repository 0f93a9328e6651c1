import { Agent } from "@bailiwick/agent";
import type { RunStore } from "@bailiwick/core";
import { studio } from "@bailiwick/studio";
import { scriptedModel } from "@bailiwick/testing";
import { expect } from "vitest";
import { client } from "../src/http/client.fixture.ts";
import { storeManyRuns } from "./store-many-runs.fixture.ts";

/** Work of a store: calls, records that were read, and runs that were returned. */
interface Work {
  calls: number;
  records: number;
  runs: number;
}

/** A store that counts the work of its calls. */
function counted(store: RunStore): { readonly store: RunStore; take(): Work } {
  let work: Work = { calls: 0, records: 0, runs: 0 };
  const note = (result: unknown): void => {
    const { runs } = (result ?? {}) as { readonly runs?: readonly unknown[] };
    if (Array.isArray(result)) work.records += result.length;
    else if (Array.isArray(runs)) work.runs += runs.length;
  };
  const proxy = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, args);
        work.calls += 1;
        if (result instanceof Promise) void result.then(note, () => undefined);
        return result;
      };
    },
  });
  return {
    store: proxy,
    take() {
      const taken = work;
      work = { calls: 0, records: 0, runs: 0 };
      return taken;
    },
  };
}

const routes = [
  "info",
  "runs",
  "runs?text=needle",
  "runs?text=there-is-no-such-word",
  "runs?tool=rare_tool",
  "runs?user=user-17",
  "runs?agent=agent-3&state=completed",
  "runs?cost=0.099",
  "inbox",
  "tools",
  "queue",
  "runs/run-3",
  "runs/run-3/records",
  "runs/run-3/authority",
];

/**
 * Calls each route of a studio over few runs and over many.
 *
 * @returns the work of each route, with few and with many.
 */
export async function expectBoundedWork(
  given: RunStore,
  sizes: { readonly few: number; readonly many: number },
): Promise<void> {
  const { store, take } = counted(given);
  const agent = new Agent({ name: "agent-1", model: scriptedModel([]), store });
  const worked: Work[][] = [];
  let stored = 0;
  for (const total of [sizes.few, sizes.many]) {
    await storeManyRuns(given, total, stored);
    stored = total;
    const { ask } = client(studio({ store, agents: [agent] }));
    const perRoute: Work[] = [];
    for (const route of routes) {
      take();
      expect((await ask(`api/${route}`)).status, route).toBe(200);
      perRoute.push(take());
    }
    worked.push(perRoute);
  }
  const [few = [], many = []] = worked;
  for (const [index, route] of routes.entries()) {
    const [before, after] = [few[index], many[index]];
    expect(after?.calls, `calls of ${route}`).toBeLessThanOrEqual(before?.calls ?? 0);
    expect(after?.records, `records of ${route}`).toBeLessThanOrEqual((before?.records ?? 0) + 3);
    expect(after?.runs, `runs of ${route}`).toBeLessThanOrEqual(Math.max(before?.runs ?? 0, 200));
  }
  // Every open page asks again: cached data is not read again.
  const { ask } = client(studio({ store, agents: [agent] }));
  for (const route of ["inbox", "info"]) await ask(`api/${route}`);
  take();
  await ask("api/inbox");
  const again = take();
  // One search: the questions of the page are cached.
  expect([again.calls, again.records]).toEqual([1, 0]);
  await ask("api/info");
  expect(take().calls).toBe(0);
}
