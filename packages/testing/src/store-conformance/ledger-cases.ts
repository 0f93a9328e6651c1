import assert from "node:assert/strict";
import type { LedgerRow } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { createAndAcquire, records, rejectsWith, storeCase } from "./store-case.ts";
import type { StoreSetup } from "./store-case.ts";

function row(fields: Partial<LedgerRow> = {}): LedgerRow {
  return {
    kind: "idempotency",
    scope: "tenant:t1",
    toolName: "refund",
    key: "k1",
    state: "reserved",
    runId: "r1",
    callKey: "t1/c0",
    inputHash: "h",
    expiresAt: Date.now() + 60_000,
    ...fields,
  };
}

/** The ledger of a store that has one. */
export function ledgerCases(setup: StoreSetup): readonly ConformanceCase[] {
  return [
    storeCase(
      setup,
      "a key is reserved once, again by the same call, and free after its release [seams.store.ledger]",
      async ({ ledger }) => {
        if (ledger === undefined) return;
        const all = await Promise.all(["r1", "r2", "r3"].map((runId) => ledger.reserve(row({ runId }))));
        assert.equal(all.filter(({ reserved }) => reserved).length, 1);
        const holder = await ledger.get(row());
        assert.ok(holder);
        assert.deepEqual(await ledger.reserve(holder), { reserved: true });
        assert.deepEqual(await ledger.reserve(row({ runId: "r9" })), { reserved: false, row: holder });
        await ledger.release(row(), "r9");
        assert.deepEqual(await ledger.get(row()), holder, "only its holder lets it go");
        await ledger.release(row(), holder.runId);
        assert.equal(await ledger.get(row()), undefined);
      },
    ),
    storeCase(
      setup,
      "tool, scope, kind and key distinguish rows; a done row keeps its outcome and is not released [seams.store.ledger]",
      async ({ ledger }) => {
        if (ledger === undefined) return;
        const done = row({ state: "done", outcome: { output: { deep: [1, null, "ü"] }, bytes: new Uint8Array([7]) } });
        await ledger.put(done);
        for (const other of [{ kind: "cache" as const }, { scope: "tenant:t2" }, { toolName: "pay" }, { key: "k2" }]) {
          assert.equal(await ledger.get(row(other)), undefined, JSON.stringify(other));
        }
        await ledger.release(done, "r1");
        assert.deepEqual(await ledger.get(done), done);
        assert.deepEqual(await ledger.reserve(row()), { reserved: false, row: done });
      },
    ),
    storeCase(setup, "an expired row is absent [seams.store.ledger]", async ({ ledger }) => {
      if (ledger === undefined) return;
      await ledger.put(row({ expiresAt: Date.now() - 60_000 }));
      assert.equal(await ledger.get(row()), undefined);
      assert.deepEqual(await ledger.reserve(row({ runId: "r2" })), { reserved: true });
    }),
    storeCase(
      setup,
      "rows that travel with an append are written with it or not at all [seams.store.ledger]",
      async (store) => {
        const { ledger } = store;
        if (ledger === undefined) return;
        const lease = await createAndAcquire(store);
        await rejectsWith(
          store.append({ ...lease, epoch: 9 }, records("r1", 0, 1), [row({ state: "done" })]),
          "FENCED",
          "stale",
        );
        assert.equal(await ledger.get(row()), undefined);
        await store.append(lease, records("r1", 0, 1), [row({ state: "done", outcome: 1 }), row({ key: "k2" })]);
        assert.equal((await ledger.get(row()))?.outcome, 1);
        assert.equal((await ledger.get(row({ key: "k2" })))?.state, "reserved");
      },
    ),
  ];
}
