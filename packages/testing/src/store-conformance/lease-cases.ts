import assert from "node:assert/strict";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import {
  acquired,
  appended,
  claimedIds,
  createAndAcquire,
  expire,
  longTtlMs,
  records,
  rejectsWith,
  runRecord,
  storeCase,
} from "./store-case.ts";
import type { StoreSetup } from "./store-case.ts";

/** Creating runs, and leases to write them. */
export function leaseCases(setup: StoreSetup): readonly ConformanceCase[] {
  const { shortTtlMs } = setup;
  return [
    storeCase(
      setup,
      "a new run is ready, with an empty journal and everything it was created with [store.create]",
      async (store) => {
        const record = runRecord("r1", {
          tenantId: "t1",
          userId: "u1",
          deadlineAt: 5,
          idempotencyKey: "k",
          parent: { runId: "p", toolCallId: "c" },
          input: { text: "hi", bytes: new Uint8Array([1, 2]) },
        });
        const { run, created } = await store.create(record);
        assert.equal(created, true);
        const expected = { ...record, state: "queued", epoch: 0, head: { seq: 0, hash: "" }, attempts: 0 };
        for (const found of [run, await store.getRun("r1")]) {
          for (const [key, value] of Object.entries(expected))
            assert.deepEqual(found?.[key as keyof typeof found], value, key);
        }
        assert.deepEqual(await store.load("r1"), []);
      },
    ),
    storeCase(
      setup,
      "the same idempotency key and tenant returns the same run, another tenant a new one [store.create]",
      async (store) => {
        const first = await store.create(runRecord("r1", { idempotencyKey: "k", tenantId: "t1" }));
        const again = await store.create(runRecord("r2", { idempotencyKey: "k", tenantId: "t1", input: "other" }));
        const other = await store.create(runRecord("r3", { idempotencyKey: "k", tenantId: "t2" }));
        const none = await store.create(runRecord("r4", { idempotencyKey: "k" }));
        assert.deepEqual([first.created, again.created, other.created, none.created], [true, false, true, true]);
        assert.equal(again.run.id, "r1");
        assert.equal(again.run.input, "hello");
        assert.equal(await store.getRun("r2"), undefined);
      },
    ),
    storeCase(setup, "two creations of one idempotency key at once make one run [store.create]", async (store) => {
      const made = await Promise.all(
        ["r1", "r2", "r3"].map((id) => store.create(runRecord(id, { idempotencyKey: "k" }))),
      );
      assert.equal(made.filter(({ created }) => created).length, 1);
      assert.equal(new Set(made.map(({ run }) => run.id)).size, 1);
    }),
    storeCase(
      setup,
      "a new run that is created with a holder has a lease from the start; an existing run's lease is not taken [store.create]",
      async (store) => {
        const holder = { owner: "owner-1", ttlMs: longTtlMs };
        const { run, lease } = await store.create(runRecord("r1", { idempotencyKey: "k" }), holder);
        assert.ok(lease, "the lease comes with the run");
        assert.deepEqual([run.state, run.epoch, lease.epoch, lease.head.seq], ["running", 1, 1, 0]);
        assert.deepEqual(await claimedIds(store), []);
        assert.equal(await store.acquire("r1", "owner-2", longTtlMs), null);
        const held = await appended(store, lease, records("r1", 0, 1));
        await store.release(held, { state: "suspended", waitingOn: ["i"] });
        const again = await store.create(runRecord("r2", { idempotencyKey: "k" }), holder);
        assert.deepEqual([again.created, again.run.state, again.lease], [false, "suspended", undefined]);
        await rejectsWith(store.create(runRecord("r1"), holder), "RUN_EXISTS", "a taken id");
        assert.equal((await store.getRun("r1"))?.state, "suspended");
        const short = await store.create(runRecord("r3"), { owner: "owner-1", ttlMs: shortTtlMs });
        assert.ok(short.lease);
        await expire(setup);
        assert.deepEqual(await claimedIds(store), ["r3"], "its time counts from then on");
      },
    ),
    storeCase(setup, "an id that is in use is refused, and its run is unchanged [store.create]", async (store) => {
      await store.create(runRecord("r1"));
      await rejectsWith(store.create(runRecord("r1", { input: "other" })), "RUN_EXISTS", "second creation");
      assert.equal((await store.getRun("r1"))?.input, "hello");
    }),
    storeCase(
      setup,
      "a run has one owner at a time, and is free again after its release [store.acquire]",
      async (store) => {
        const lease = await createAndAcquire(store);
        assert.equal(lease.epoch, 1);
        assert.equal(await store.acquire("r1", "owner-2", longTtlMs), null);
        assert.equal(await store.acquire("r1", "owner-1", longTtlMs), null, "not even by the same owner");
        assert.equal((await store.getRun("r1"))?.state, "running");
        await store.release(lease, { state: "queued" });
        assert.equal((await acquired(store, "r1", "owner-2")).epoch, 2);
      },
    ),
    storeCase(setup, "of ten that want a run at once, one gets it [store.acquire]", async (store) => {
      await store.create(runRecord("r1"));
      const leases = await Promise.all(
        Array.from({ length: 10 }, (_, n) => store.acquire("r1", `owner-${n}`, longTtlMs)),
      );
      assert.equal(leases.filter((lease) => lease !== null).length, 1);
    }),
    storeCase(
      setup,
      "an expired lease is replaced with the next epoch, and includes the run's head [store.acquire]",
      async (store) => {
        await store.create(runRecord("r1"));
        const first = await appended(store, await acquired(store, "r1", "owner-1", shortTtlMs), records("r1", 0, 2));
        await expire(setup);
        const second = await acquired(store, "r1", "owner-2");
        assert.equal(second.epoch, 2);
        assert.deepEqual(second.head, first.head);
        assert.deepEqual(await claimedIds(store), []);
      },
    ),
    storeCase(
      setup,
      "a caller whose clock is wrong by an hour neither acquires a held run nor loses its own [store.acquire.store-clock]",
      async (store) => {
        const lease = await createAndAcquire(store);
        const realNow = Date.now;
        try {
          for (const hours of [1, -1]) {
            Date.now = () => realNow() + hours * 3_600_000;
            if (store.durable) {
              assert.equal(await store.acquire("r1", "owner-2", longTtlMs), null);
              assert.deepEqual(await claimedIds(store), []);
            }
          }
        } finally {
          Date.now = realNow;
        }
        assert.deepEqual(
          (await store.renew([lease], longTtlMs)).map(({ held }) => held),
          [true],
        );
      },
    ),
    storeCase(
      setup,
      "taking a run ends the leases on the runs inside its calls, at any depth, and on no other [store.acquire.inside]",
      async (store) => {
        const parent = (runId: string) => ({ parent: { runId, toolCallId: "c" } });
        const outer = await createAndAcquire(store, "outer");
        const inner = await createAndAcquire(store, "inner", parent("outer"));
        const innermost = await createAndAcquire(store, "innermost", parent("inner"));
        const beside = await createAndAcquire(store, "beside", parent("another"));
        await store.release(outer, { state: "queued" });
        await acquired(store, "outer", "owner-2");
        for (const lease of [inner, innermost]) {
          await rejectsWith(store.append(lease, records(lease.runId, 0, 1)), "FENCED", `append to ${lease.runId}`);
          await rejectsWith(store.release(lease, { state: "completed" }), "FENCED", `release of ${lease.runId}`);
        }
        await store.append(beside, records("beside", 0, 1));
        assert.equal((await store.getRun("inner"))?.state, "queued");
        await acquired(store, "inner", "owner-2");
      },
    ),
    storeCase(
      setup,
      "a run inside a call is neither acquired nor created for a caller with a stale lease [store.acquire.inside]",
      async (store) => {
        const parent = { parent: { runId: "outer", toolCallId: "c" } };
        const stale = await createAndAcquire(store, "outer");
        await store.create(runRecord("inner", parent));
        const held = await store.acquire("inner", "owner-1", longTtlMs, stale);
        assert.ok(held, "under a valid lease, an inner run is acquired");
        await store.release(stale, { state: "queued" });
        const next = await acquired(store, "outer", "owner-2");
        await rejectsWith(store.acquire("inner", "owner-1", longTtlMs, stale), "FENCED", "a stale caller");
        const holder = { owner: "owner-1", ttlMs: longTtlMs };
        await rejectsWith(
          store.create(runRecord("new", parent), { ...holder, under: stale }),
          "FENCED",
          "a stale caller",
        );
        assert.ok(await store.acquire("inner", "owner-2", longTtlMs, next), "the caller that holds the outer run");
        const made = await store.create(runRecord("newer", parent), {
          owner: "owner-2",
          ttlMs: longTtlMs,
          under: next,
        });
        assert.equal(made.lease?.epoch, 1);
      },
    ),
    storeCase(setup, "an unknown run is an error that names the store [store.acquire]", async (store) => {
      await rejectsWith(store.acquire("nobody", "owner-1", longTtlMs), "RUN_NOT_FOUND", "acquire");
      await assert.rejects(store.load("nobody"), (error: Error) => error.message.includes(store.name));
      await rejectsWith(store.signal("nobody", { name: "cancel", id: "1", payload: null }), "RUN_NOT_FOUND", "signal");
    }),
    storeCase(
      setup,
      "a renewed lease outlives its first time; a lost one is distinguished [store.renew]",
      async (store) => {
        await store.create(runRecord("r1"));
        await store.create(runRecord("r2"));
        const kept = await acquired(store, "r1", "owner-1", shortTtlMs);
        const lost = await acquired(store, "r2", "owner-1", shortTtlMs);
        assert.deepEqual(
          (await store.renew([kept], longTtlMs)).map(({ held }) => held),
          [true],
        );
        await expire(setup);
        assert.equal(await store.acquire("r1", "owner-2", longTtlMs), null);
        await acquired(store, "r2", "owner-2");
        const answers = await store.renew([kept, lost], longTtlMs);
        assert.deepEqual(
          answers.map(({ runId, held }) => [runId, held]),
          [
            ["r1", true],
            ["r2", false],
          ],
        );
      },
    ),
    storeCase(
      setup,
      "leases that expire without progress are counted, and progress sets the count back [store.acquire]",
      async (store) => {
        await store.create(runRecord("r1"));
        let seq = 0;
        for (let attempt = 1; attempt <= 3; attempt += 1) {
          const lease = await acquired(store, "r1", `owner-${attempt}`, shortTtlMs);
          await store.append(lease, [
            {
              type: "run.resumed",
              seq: (seq += 1),
              at: 1,
              key: `run.resumed#${seq}`,
              label: "system",
              runId: "r1",
              owner: "o",
              epoch: attempt,
            },
          ]);
          await expire(setup);
        }
        const lease = await acquired(store, "r1", "owner-4");
        assert.equal((await store.getRun("r1"))?.attempts, 3);
        await store.append(lease, [
          {
            type: "run.suspended",
            seq: seq + 1,
            at: 1,
            key: "run.suspended#1",
            label: "system",
            runId: "r1",
            reason: "sleeping",
            interruptionIds: [],
          },
        ]);
        assert.equal((await store.getRun("r1"))?.attempts, 0);
      },
    ),
    storeCase(
      setup,
      "release() sets the run's next state, and its former holder can no longer write [store.release]",
      async (store) => {
        for (const [id, next, state] of [
          ["r1", { state: "completed" }, "completed"],
          ["r2", { state: "failed" }, "failed"],
          ["r3", { state: "suspended", waitingOn: ["i1", "i2"] }, "suspended"],
          ["r4", { state: "sleeping", wakeAt: 99_999_999_999_999 }, "sleeping"],
          ["r5", { state: "sleeping", wakeAt: 1 }, "sleeping"],
          ["r6", { state: "queued" }, "queued"],
        ] as const) {
          const lease = await createAndAcquire(store, id);
          await store.release(lease, next);
          const run = await store.getRun(id);
          assert.equal(run?.state, state, id);
          assert.deepEqual(run?.waitingOn, next.state === "suspended" ? next.waitingOn : undefined, id);
          assert.equal(run?.dueAt, next.state === "sleeping" ? next.wakeAt : undefined, id);
          await rejectsWith(store.append(lease, records(id, 0, 1)), "FENCED", "append after release");
          await rejectsWith(store.release(lease, { state: "queued" }), "FENCED", "second release");
        }
        assert.deepEqual(
          (await claimedIds(store)).toSorted(),
          ["r5", "r6"],
          "a woken sleeper is runnable [run.durable-sleep]",
        );
      },
    ),
    storeCase(
      setup,
      "a release in the same turn as the last append is one transaction with it: if the append fails, the run is not released [store.release]",
      async (store) => {
        const lease = await createAndAcquire(store);
        const good = records("r1", 0, 2);
        const after = { ...lease, head: { seq: 2, hash: "" } };
        await Promise.all([store.append(lease, good), store.release(after, { state: "completed" })]);
        assert.equal((await store.getRun("r1"))?.state, "completed");
        const second = await acquired(store, "r1");
        const duplicate = records("r1", 2, 1).map((event) => ({ ...event, key: good[0]?.key ?? "" }));
        const results = await Promise.allSettled([
          store.append(second, duplicate),
          store.release({ ...second, head: { seq: 3, hash: "" } }, { state: "completed" }),
        ]);
        assert.deepEqual(
          results.map(({ status }) => status),
          ["rejected", "rejected"],
        );
        assert.equal((await store.getRun("r1"))?.state, "running");
      },
    ),
  ];
}
