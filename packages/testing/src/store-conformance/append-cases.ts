import assert from "node:assert/strict";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import {
  acquired,
  appended,
  createAndAcquire,
  expire,
  records,
  rejectsWith,
  runRecord,
  storeCase,
} from "./store-case.ts";
import type { StoreSetup } from "./store-case.ts";

/** Writing and reading journals. */
export function appendCases(setup: StoreSetup): readonly ConformanceCase[] {
  const { shortTtlMs } = setup;
  return [
    storeCase(setup, "records are read back as they were written, from any place on [store.append]", async (store) => {
      const lease = await createAndAcquire(store);
      const events = records("r1", 0, 5, "ünïcode \u{1F600} \u0000 \ud800 \u2028");
      let held = await appended(store, lease, events.slice(0, 2));
      held = await appended(store, held, events.slice(2));
      assert.equal(held.head.seq, 5);
      assert.deepEqual(await store.load("r1"), events);
      assert.deepEqual(await store.load("r1", 3), events.slice(3));
      assert.deepEqual(await store.load("r1", 5), []);
      assert.deepEqual(await store.get("r1", "hook.failed#4"), events[3]);
      assert.equal(await store.get("r1", "nothing"), undefined);
      assert.equal((await store.getRun("r1"))?.head.seq, 5);
    }),
    storeCase(setup, "types that this version does not know are kept [store.append]", async (store) => {
      const lease = await createAndAcquire(store);
      const [known] = records("r1", 0, 1);
      const unknown = { ...known, type: "from.the.future", shape: { deep: [1, null, "x"] } } as unknown as NonNullable<
        typeof known
      >;
      await store.append(lease, [unknown]);
      assert.deepEqual(await store.load("r1"), [unknown]);
    }),
    storeCase(
      setup,
      "a head that is not the run's writes nothing, even with the lease [store.append]",
      async (store) => {
        const lease = await createAndAcquire(store);
        const held = await appended(store, lease, records("r1", 0, 2));
        await rejectsWith(store.append(lease, records("r1", 0, 1)), "FENCED", "an old head");
        await rejectsWith(
          store.append({ ...held, head: { seq: 9, hash: "" } }, records("r1", 9, 1)),
          "FENCED",
          "a head of the future",
        );
        assert.equal((await store.load("r1")).length, 2);
      },
    ),
    storeCase(
      setup,
      "a holder that lost its lease writes nothing, also after the other is done [store.append.fenced]",
      async (store) => {
        await store.create(runRecord("r1"));
        const stale = await acquired(store, "r1", "owner-1", shortTtlMs);
        await expire(setup);
        const fresh = await acquired(store, "r1", "owner-2");
        await rejectsWith(store.append(stale, records("r1", 0, 1)), "FENCED", "while the other drives");
        const held = await appended(store, fresh, records("r1", 0, 1));
        await store.release(held, { state: "queued" });
        await rejectsWith(
          store.append({ ...stale, head: held.head }, records("r1", 1, 1)),
          "FENCED",
          "after its release",
        );
        await rejectsWith(store.release(stale, { state: "completed" }), "FENCED", "release");
        await rejectsWith(store.takeSignals(stale), "FENCED", "inbox");
        assert.equal((await store.load("r1")).length, 1);
      },
    ),
    storeCase(
      setup,
      "a key is used once in a run, a gap is refused, and of a refused append nothing is written [store.append]",
      async (store) => {
        const lease = await createAndAcquire(store);
        const held = await appended(store, lease, records("r1", 0, 2));
        const [third, fourth] = records("r1", 2, 2);
        assert.ok(third && fourth);
        await rejectsWith(
          store.append(held, [third, { ...fourth, key: "hook.failed#1" }]),
          "DUPLICATE_KEY",
          "a key of an earlier append",
        );
        await rejectsWith(
          store.append(held, [third, { ...fourth, key: third.key }]),
          "DUPLICATE_KEY",
          "twice in one append",
        );
        await rejectsWith(store.append(held, [fourth]), "SEQUENCE_GAP", "a gap");
        assert.equal((await store.load("r1")).length, 2);
        assert.equal((await store.getRun("r1"))?.head.seq, 2);
        await store.append(held, [third]);
        await createAndAcquire(store, "r2").then((other) => store.append(other, records("r2", 0, 1)));
      },
    ),
    storeCase(
      setup,
      "appends of one turn of the event loop all arrive, and a fenced one fails alone [store.append.group-commit]",
      async (store) => {
        const leases = await Promise.all(Array.from({ length: 20 }, (_, n) => createAndAcquire(store, `r${n}`)));
        const results = await Promise.allSettled(
          leases.map((lease, n) => store.append(n === 7 ? { ...lease, epoch: 99 } : lease, records(lease.runId, 0, 3))),
        );
        for (const [n, { status }] of results.entries()) {
          assert.equal(status, n === 7 ? "rejected" : "fulfilled");
          assert.equal((await store.load(`r${n}`)).length, n === 7 ? 0 : 3);
        }
      },
    ),
    storeCase(
      setup,
      "resolved writes are there after the store is opened again [store.append]",
      async (store, { again }) => {
        const lease = await createAndAcquire(store);
        const held = await appended(store, lease, records("r1", 0, 3));
        if (again === undefined) return;
        const other = await again();
        try {
          assert.deepEqual(await other.load("r1"), await store.load("r1"));
          assert.equal(await other.acquire("r1", "owner-2", 1_000), null);
          await other.signal("r1", { name: "cancel", id: "c1", payload: "stop" });
          assert.deepEqual(
            (await store.renew([held], 1_000)).map(({ signalsWaiting }) => signalsWaiting),
            [true],
          );
        } finally {
          await other.close?.();
        }
      },
    ),
    storeCase(
      setup,
      "runs are listed by session, agent, state and tenant, newest first; no tenant is a separate tenant [store.queries]",
      async (store) => {
        await store.create(runRecord("r1", { sessionId: "s1", agentId: "a1" }));
        await store.create(runRecord("r2", { sessionId: "s2", agentId: "a1" }));
        await store.create(runRecord("r3", { sessionId: "s1", agentId: "a2" }));
        await store.create(runRecord("r4", { sessionId: "s1", tenantId: "t1" }));
        await store.create(runRecord("r5", { sessionId: "s1", tenantId: "t2" }));
        const ids = async (filter: Parameters<typeof store.listRuns>[0]) =>
          (await store.listRuns(filter)).map(({ id }) => id);
        assert.deepEqual(await ids({}), ["r3", "r2", "r1"]);
        assert.deepEqual(await ids({ sessionId: "s1" }), ["r3", "r1"]);
        assert.deepEqual(await ids({ agentId: "a1" }), ["r2", "r1"]);
        assert.deepEqual(await ids({ tenantId: "t1" }), ["r4"]);
        assert.deepEqual(await ids({ limit: 1 }), ["r3"]);
        await acquired(store, "r2");
        assert.deepEqual(await ids({ state: "running" }), ["r2"]);
        const created = (await store.getRun("r1"))?.createdAt ?? 0;
        assert.deepEqual(await ids({ before: created }), []);
      },
    ),
    storeCase(
      setup,
      "a list has the runs of one user; without a user those that have none, with allUsers those of every user of the tenant [store.queries.owner]",
      async (store) => {
        await store.create(runRecord("r1", { tenantId: "t1", userId: "ada" }));
        await store.create(runRecord("r2", { tenantId: "t1", userId: "bob" }));
        await store.create(runRecord("r3", { tenantId: "t1" }));
        await store.create(runRecord("r4", { userId: "ada" }));
        const ids = async (filter: Parameters<typeof store.listRuns>[0]) =>
          (await store.listRuns(filter)).map(({ id }) => id);
        assert.deepEqual(await ids({ tenantId: "t1", userId: "ada" }), ["r1"]);
        assert.deepEqual(await ids({ tenantId: "t1" }), ["r3"]);
        assert.deepEqual(await ids({ userId: "ada" }), ["r4"]);
        assert.deepEqual(await ids({ userId: "" }), []);
        assert.deepEqual(await ids({}), []);
        assert.deepEqual(await ids({ tenantId: "t1", allUsers: true }), ["r3", "r2", "r1"]);
        assert.deepEqual(await ids({ allUsers: true }), ["r4"]);
      },
    ),
    storeCase(
      setup,
      "a deleted run is removed with all of its data, and its holder is fenced [store.queries]",
      async (store) => {
        const shared = await store.putBlob(new Uint8Array([1]));
        const own = await store.putBlob(new Uint8Array([2]));
        const leases = [await createAndAcquire(store, "r1"), await createAndAcquire(store, "r2")];
        for (const lease of leases) {
          const hashes = lease.runId === "r1" ? [shared, own] : [shared];
          const events = records(lease.runId, 0, 1).map((event) => ({
            ...event,
            refs: hashes.map(($blob) => ({ $blob, kind: "bytes" })),
          }));
          await store.append(lease, events);
        }
        await store.signal("r1", { name: "steer", id: "x", payload: "secret" });
        await store.deleteRun("r1");
        assert.equal(await store.getRun("r1"), undefined);
        await rejectsWith(store.load("r1"), "RUN_NOT_FOUND", "load");
        await rejectsWith(store.getBlob(own), "BLOB_NOT_FOUND", "its own blob");
        assert.deepEqual([...(await store.getBlob(shared))], [1]);
        const [lease] = leases;
        assert.ok(lease);
        await rejectsWith(
          store.append({ ...lease, head: { seq: 1, hash: "" } }, records("r1", 1, 1)),
          "FENCED",
          "append",
        );
        await store.deleteRun("r1");
        await store.create(runRecord("r1"));
        assert.deepEqual(await store.load("r1"), []);
      },
    ),
    storeCase(
      setup,
      "deleting a run deletes the runs inside its calls, at any depth, with their spilled results [store.queries]",
      async (store) => {
        const parent = (runId: string) => ({ parent: { runId, toolCallId: "c" } });
        const blob = await store.putBlob(new Uint8Array([6]));
        await store.create(runRecord("outer"));
        await store.create(runRecord("other"));
        await store.create(runRecord("inner", parent("outer")));
        await store.create(runRecord("beside", parent("other")));
        await store.create(runRecord("elsewhere", parent("a run of another store")));
        await store.create(runRecord("innermost", parent("inner")));
        const lease = await acquired(store, "innermost");
        const refs = [{ $blob: blob, kind: "bytes" }];
        await store.append(
          lease,
          records("innermost", 0, 1).map((event) => ({ ...event, refs })),
        );
        await store.deleteRun("outer");
        const left = (await store.listRuns({})).map(({ id }) => id);
        assert.deepEqual(left.toSorted(), ["beside", "elsewhere", "other"]);
        await rejectsWith(store.load("inner"), "RUN_NOT_FOUND", "a run inside its call");
        await rejectsWith(store.getBlob(blob), "BLOB_NOT_FOUND", "what a run inside a run inside its call spilled");
        await store.deleteRun("beside");
        assert.equal((await store.getRun("other"))?.id, "other", "the run around one that is deleted");
      },
    ),
    storeCase(
      setup,
      "a blob that is named inside a text is deleted with the last run whose records name it [store.queries]",
      async (store) => {
        const shared = await store.putBlob(new Uint8Array([3]));
        const own = await store.putBlob(new Uint8Array([4]));
        const other = await store.putBlob(new Uint8Array([5]));
        for (const [runId, hashes] of [
          ["r1", [shared, own]],
          ["r2", [shared]],
        ] as const) {
          const lease = await createAndAcquire(store, runId);
          const [event] = records(runId, 0, 1);
          assert.ok(event);
          await store.append(lease, [
            { ...event, text: hashes.map((hash) => `read({"handle":"${hash}"})`).join(" and ") } as typeof event,
          ]);
        }
        await store.deleteRun("r1");
        await rejectsWith(store.getBlob(own), "BLOB_NOT_FOUND", "its own blob");
        assert.deepEqual([...(await store.getBlob(shared))], [3]);
        await store.deleteRun("r2");
        await rejectsWith(store.getBlob(shared), "BLOB_NOT_FOUND", "the last run's blob");
        assert.deepEqual([...(await store.getBlob(other))], [5], "a blob that no record named");
      },
    ),
    storeCase(
      setup,
      "a blob that was put for a later record outlives the runs that had the same bytes [store.queries]",
      async (store) => {
        const naming = (runId: string, $blob: string) =>
          records(runId, 0, 1).map((event) => ({ ...event, refs: [{ $blob, kind: "bytes" }] }));
        const bytes = new Uint8Array([7]);
        const first = await createAndAcquire(store, "first");
        const second = await createAndAcquire(store, "second");
        const third = await createAndAcquire(store, "third");
        const hash = await store.putBlob(bytes);
        await store.append(first, naming("first", hash));
        await store.putBlob(bytes);
        await store.putBlob(bytes);
        await store.deleteRun("first");
        assert.deepEqual([...(await store.getBlob(hash))], [7], "a blob that two records are to name");
        await store.append(second, naming("second", hash));
        await store.deleteRun("second");
        assert.deepEqual([...(await store.getBlob(hash))], [7], "a blob that one more record is to name");
        await store.append(third, naming("third", hash));
        await store.deleteRun("third");
        await rejectsWith(store.getBlob(hash), "BLOB_NOT_FOUND", "a blob that no record is to name");
      },
    ),
    storeCase(
      setup,
      "bytes are found by their SHA-256, stored once, and not changed with the caller's buffer [store.blobs]",
      async (store) => {
        const bytes = new Uint8Array(300_000).map((_, index) => index % 251);
        const hash = await store.putBlob(bytes);
        assert.match(hash, /^[0-9a-f]{64}$/);
        assert.equal(await store.putBlob(bytes.slice()), hash);
        const copy = bytes.slice();
        bytes.fill(0);
        assert.deepEqual(await store.getBlob(hash), copy);
        assert.equal(
          await store.putBlob(new Uint8Array()),
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        );
        await rejectsWith(store.getBlob("0".repeat(64)), "BLOB_NOT_FOUND", "unknown");
      },
    ),
  ];
}
