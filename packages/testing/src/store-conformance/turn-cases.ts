import assert from "node:assert/strict";
import type { ClaimRequest, Lease, RunStore } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { longTtlMs, runRecord, storeCase } from "./store-case.ts";
import type { StoreSetup } from "./store-case.ts";

const request: ClaimRequest = {
  owner: "w",
  ttlMs: longTtlMs,
  limit: 1,
  agents: [{ agentId: "agent" }, { agentId: "other" }],
  maxAttempts: 5,
  suspects: false,
};

/** Queues runs of a tenant; their ids are the tenant and a number. */
async function queued(store: RunStore, tenantId: string, count: number, agentId = "agent"): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const id = `${tenantId}-${agentId}-${n}`;
    await store.create(runRecord(id, { tenantId, agentId, sessionId: id }));
  }
}

/** Claims until nothing is left, ends each run at once, and returns the ids in order. */
async function order(store: RunStore, more: Partial<ClaimRequest> = {}): Promise<readonly string[]> {
  const ids: string[] = [];
  for (;;) {
    const { runs } = await store.claim({ ...request, ...more });
    if (runs.length === 0) return ids;
    ids.push(...runs.map(({ run }) => run.id));
    for (const { lease } of runs) await store.release(lease, { state: "completed" });
  }
}

/** The order of claims over tenants and agents, and their limits. */
export function turnCases(setup: StoreSetup): readonly ConformanceCase[] {
  return [
    ...[1, 4].map((limit) =>
      storeCase(
        setup,
        `claims of ${limit} go round by tenant, so a tenant waits only for its own runs [store.claim.turns]`,
        async (store) => {
          await queued(store, "big", 20);
          assert.equal((await store.claim({ ...request, limit: 3 })).runs.length, 3);
          await queued(store, "small", 2);
          const ids = await order(store, { limit });
          for (const id of ["small-agent-0", "small-agent-1"]) assert.ok(ids.indexOf(id) < 6, `${id} in ${ids.join()}`);
          assert.deepEqual(
            ids.filter((id) => id.startsWith("big")),
            Array.from({ length: 17 }, (_, n) => `big-agent-${n + 3}`),
            "the runs of one tenant keep their order",
          );
        },
      ),
    ),
    storeCase(
      setup,
      "the agents of a tenant take turns within its turns, and a higher priority comes first [store.claim.turns]",
      async (store) => {
        await queued(store, "one", 6);
        await queued(store, "one", 3, "other");
        await queued(store, "two", 6);
        await store.create(runRecord("high", { tenantId: "one", priority: 5, sessionId: "high" }));
        await store.create(runRecord("high-2", { tenantId: "one", priority: 5, sessionId: "high-2" }));
        const ids = await order(store);
        assert.deepEqual(ids.slice(0, 2), ["high", "high-2"]);
        const tenants = ids.slice(2, 14).map((id) => id.slice(0, 3));
        for (let n = 1; n < tenants.length; n += 1) assert.notEqual(tenants[n], tenants[n - 1], ids.join());
        const own = ids.slice(2, 12).filter((id) => id.startsWith("one"));
        assert.ok(own.filter((id) => id.includes("other")).length >= 2, ids.join());
      },
    ),
    storeCase(
      setup,
      "a tenant of weight 3 gets three turns for each turn of another [store.claim.turns]",
      async (store) => {
        await queued(store, "heavy", 12);
        await queued(store, "light", 12);
        const ids = await order(store, { tenantWeights: { heavy: 3 } });
        const first = ids.slice(0, 12).filter((id) => id.startsWith("heavy")).length;
        assert.ok(first >= 8 && first <= 10, ids.join());
      },
    ),
    storeCase(
      setup,
      "claims keep the concurrency of each tenant and each agent over all processes [store.claim.limits]",
      async (store, { again }) => {
        const stores = [store, (await again?.()) ?? store];
        await queued(store, "a", 10);
        await queued(store, "b", 10);
        await queued(store, "b", 10, "other");
        const limited: ClaimRequest = {
          ...request,
          limit: 4,
          tenantLimit: { concurrency: 3 },
          agents: [{ agentId: "agent", limit: { concurrency: 4 } }, { agentId: "other" }],
        };
        const held: Lease[] = [];
        const claims = await Promise.all(
          Array.from({ length: 8 }, (_, n) => (stores[n % 2] as RunStore).claim({ ...limited, owner: `w${n}` })),
        );
        for (const { runs } of claims) held.push(...runs.map(({ lease }) => lease));
        // Claims at one moment may leave runs to the next claim, and never take too many.
        for (let isMore = true; isMore;) {
          const more = await store.claim(limited);
          held.push(...more.runs.map(({ lease }) => lease));
          isMore = more.runs.length > 0;
        }
        const isWithin = async (): Promise<void> => {
          const driven = await store.listRuns({ allTenants: true, state: "running" });
          assert.equal(driven.length, held.length);
          const count = (has: (run: (typeof driven)[number]) => boolean): number => driven.filter(has).length;
          const [ofA, ofB] = ["a", "b"].map((tenant) => count(({ tenantId }) => tenantId === tenant));
          assert.deepEqual([ofB, count(({ agentId }) => agentId === "agent")], [3, 4]);
          assert.ok((ofA ?? 0) <= 3);
        };
        await isWithin();
        assert.deepEqual((await store.claim(limited)).runs, []);
        const first = held.shift();
        assert.ok(first);
        await store.release(first, { state: "completed" });
        // A run that counted towards two limits frees a place in each.
        const next = (await store.claim(limited)).runs;
        assert.ok(next.length >= 1);
        held.push(...next.map(({ lease }) => lease));
        await isWithin();
        for (const one of stores) if (one !== store) await one.close?.();
      },
    ),
    storeCase(
      setup,
      "claims keep the runs per minute of each tenant and each agent [store.claim.limits]",
      async (store) => {
        await queued(store, "a", 5);
        await queued(store, "b", 5);
        assert.equal((await order(store, { limit: 3, tenantLimit: { runsPerMinute: 2 } })).length, 4);
        const agents = [{ agentId: "agent", limit: { runsPerMinute: 5 } }];
        assert.equal((await order(store, { limit: 3, agents })).length, 1);
        assert.equal((await order(store, { limit: 3 })).length, 5);
      },
    ),
  ];
}
