import assert from "node:assert/strict";
import type { RunFilter, RunStore } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { acquired, claimedIds, createAndAcquire, expire, longTtlMs, runRecord, storeCase } from "./store-case.ts";
import type { StoreSetup } from "./store-case.ts";

async function settledAt(store: RunStore, runId: string): Promise<number | undefined> {
  return (await store.getRun(runId))?.settledAt;
}

/** Runs that ended, wait for a person, or are stuck: the time, lists by it, and their deletion. */
export function settlingCases(setup: StoreSetup): readonly ConformanceCase[] {
  return [
    storeCase(
      setup,
      "a run has the time at which it ended or began to wait for a person, until it is driven again [store.settled]",
      async (store) => {
        const lease = await createAndAcquire(store, "r1");
        assert.equal(await settledAt(store, "r1"), undefined);
        await store.release(lease, { state: "suspended", waitingOn: ["i"] });
        assert.equal(await settledAt(store, "r1"), (await store.getRun("r1"))?.updatedAt);
        await store.signal("r1", { id: "s", name: "note", payload: 1 });
        assert.equal(await settledAt(store, "r1"), undefined, "a signal makes it ready");
        const next = await acquired(store, "r1");
        await store.release(next, { state: "suspended", waitingOn: ["i"] });
        assert.equal(await settledAt(store, "r1"), undefined, "a signal waits, so it is ready");
        await store.release(await acquired(store, "r1"), { state: "completed", unlessSignals: ["note"] });
        assert.equal(await settledAt(store, "r1"), undefined, "a message waits, so it is ready");
        await store.release(await acquired(store, "r1"), { state: "failed" });
        assert.notEqual(await settledAt(store, "r1"), undefined);
        await store.requeue("r1", (await store.getRun("r1"))?.epoch ?? 0);
        assert.equal(await settledAt(store, "r1"), undefined, "a requeued run is ready");
        await store.release(await acquired(store, "r1"), { state: "completed" });
        assert.notEqual(await settledAt(store, "r1"), undefined);
        await acquired(store, "r1");
        assert.equal(await settledAt(store, "r1"), undefined, "a driven run is not settled");
        await store.release(await createAndAcquire(store, "r2"), { state: "sleeping", wakeAt: 99_999_999_999_999 });
        assert.equal(await settledAt(store, "r2"), undefined, "a sleeper is not settled");
      },
    ),
    storeCase(setup, "a run that becomes stuck has that time [store.settled]", async (store) => {
      await store.create(runRecord("r1"));
      for (const suspects of [false, false]) {
        await claimedIds(store, { ttlMs: setup.shortTtlMs, suspects, maxAttempts: 9 });
        await expire(setup);
      }
      assert.deepEqual(await claimedIds(store, { maxAttempts: 1 }), []);
      const run = await store.getRun("r1");
      assert.deepEqual([run?.state, run?.settledAt], ["stuck", run?.updatedAt]);
      await store.release(await acquired(store, "r1"), { state: "stuck" });
      const again = await store.getRun("r1");
      assert.deepEqual([again?.state, again?.settledAt, again?.attempts], ["stuck", again?.updatedAt, 0]);
    }),
    storeCase(
      setup,
      "runs are listed by several states, of all tenants, and by the time at which they settled [store.settled.list]",
      async (store) => {
        const ends: readonly (readonly [string, Parameters<RunStore["release"]>[1], { readonly tenantId?: string }])[] =
          [
            ["r1", { state: "completed" }, {}],
            ["r2", { state: "failed" }, { tenantId: "t1" }],
            ["r3", { state: "suspended", waitingOn: ["i"] }, { tenantId: "t2" }],
          ];
        await createAndAcquire(store, "outer");
        for (const [id, next, more] of ends) {
          await store.release(await createAndAcquire(store, id, { userId: "ada", ...more }), next);
          await new Promise((resolve) => setTimeout(resolve, 3));
        }
        await store.release(await createAndAcquire(store, "inner", { parent: { runId: "outer", toolCallId: "c" } }), {
          state: "completed",
        });
        const ids = async (filter: RunFilter): Promise<readonly string[]> =>
          (await store.listRuns(filter)).map(({ id }) => id);
        assert.deepEqual(await ids({ allTenants: true }), ["inner", "r3", "r2", "r1", "outer"]);
        assert.deepEqual(await ids({ allTenants: true, state: ["failed", "suspended"] }), ["r3", "r2"]);
        assert.deepEqual(await ids({ allTenants: true, state: [] }), []);
        assert.deepEqual(await ids({ allTenants: true, settledSince: 0 }), ["r1", "r2", "r3"]);
        assert.deepEqual(await ids({ allTenants: true, settledSince: 0, limit: 2 }), ["r1", "r2"]);
        const second = (await settledAt(store, "r2")) ?? 0;
        assert.deepEqual(await ids({ allTenants: true, settledBefore: second }), ["r1"]);
        assert.deepEqual(await ids({ allTenants: true, settledSince: second, state: "failed" }), ["r2"]);
        assert.deepEqual(await ids({ tenantId: "t1", userId: "ada", settledSince: 0 }), ["r2"]);
        assert.deepEqual(await ids({ settledSince: 0 }), [], "without an owner: runs that have none");
      },
    ),
    storeCase(
      setup,
      "a run is deleted by its epoch only if it has not changed since it was read [store.settled.delete]",
      async (store) => {
        const lease = await createAndAcquire(store, "r1");
        assert.equal(await store.deleteRun("r1", lease.epoch), false, "a driven run");
        await store.release(lease, { state: "completed" });
        assert.equal(await store.deleteRun("r1", lease.epoch + 1), false, "another epoch");
        assert.ok(await store.getRun("r1"));
        assert.equal(await store.deleteRun("r1", lease.epoch), true);
        assert.equal(await store.getRun("r1"), undefined);
        assert.equal(await store.deleteRun("r1", lease.epoch), false, "no such run");
        assert.equal(await store.acquire("r2", "o", longTtlMs).catch(() => "unknown"), "unknown");
      },
    ),
  ];
}
