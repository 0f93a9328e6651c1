import assert from "node:assert/strict";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import {
  acquired,
  claimedIds,
  createAndAcquire,
  expire,
  longTtlMs,
  rejectsWith,
  runRecord,
  storeCase,
} from "./store-case.ts";
import type { StoreSetup } from "./store-case.ts";

const far = 99_999_999_999_999;

/** Enqueued runs and the claims of workers. */
export function queueCases(setup: StoreSetup): readonly ConformanceCase[] {
  const { shortTtlMs } = setup;
  return [
    storeCase(
      setup,
      "an enqueued run keeps its time and priority, and is claimed by priority, then by age [store.claim]",
      async (store) => {
        await store.create(runRecord("r1"));
        await store.create(runRecord("r2", { priority: 3 }));
        await store.create(runRecord("r3", { dueAt: far, priority: 9 }));
        await store.create(runRecord("r4", { dueAt: 1 }));
        const stored = await store.getRun("r3");
        assert.deepEqual([stored?.dueAt, stored?.priority, stored?.state, stored?.enqueuedAt], [far, 9, "queued", far]);
        assert.deepEqual(await claimedIds(store), ["r2", "r1", "r4"]);
        assert.deepEqual(await claimedIds(store), []);
        assert.equal((await store.getRun("r1"))?.state, "running");
      },
    ),
    storeCase(setup, "a claim returns valid leases, each with the next epoch [store.claim]", async (store) => {
      await store.create(runRecord("r1"));
      const request = {
        owner: "w",
        ttlMs: longTtlMs,
        limit: 5,
        agents: [{ agentId: "agent" }],
        maxAttempts: 5,
        suspects: false,
      };
      const { runs } = await store.claim(request);
      const [claimed] = runs;
      assert.ok(claimed);
      assert.deepEqual(
        [claimed.lease.epoch, claimed.lease.owner, claimed.run.epoch, claimed.run.state],
        [1, "w", 1, "running"],
      );
      assert.equal(await store.acquire("r1", "other", longTtlMs), null);
      await store.release(claimed.lease, { state: "completed" });
      assert.deepEqual(await claimedIds(store), []);
    }),
    storeCase(
      setup,
      "claims at the same time share the runs, each run once [store.claim.once]",
      async (store, { again }) => {
        const ids = Array.from({ length: 40 }, (_, n) => `r${n}`);
        for (const id of ids) await store.create(runRecord(id));
        const other = (await again?.()) ?? store;
        const got: string[] = [];
        for (let round = 0; round < 20 && got.length < ids.length; round += 1) {
          const lists = await Promise.all([store, other, store, other].map((one) => claimedIds(one, { limit: 3 })));
          got.push(...lists.flat());
        }
        assert.deepEqual(got.toSorted(), ids.toSorted());
      },
    ),
    storeCase(
      setup,
      "only runs of the agents, definitions and tenants that were asked for are claimed, and none inside a call [store.claim.fits]",
      async (store) => {
        await store.create(runRecord("r1", { agentId: "other" }));
        await store.create(runRecord("r2", { definitionHash: "d2" }));
        await store.create(runRecord("r3", { tenantId: "t1" }));
        await store.create(runRecord("r4"));
        await store.create(runRecord("r5", { parent: { runId: "r4", toolCallId: "c" } }));
        const agents = [{ agentId: "agent", definitionHashes: ["d1"] }, { agentId: "none" }];
        assert.deepEqual(await claimedIds(store, { agents, exceptTenants: ["t1", "t2"] }), ["r4"]);
        assert.deepEqual(await claimedIds(store, { exceptTenants: [undefined] }), ["r3"]);
        assert.deepEqual(await claimedIds(store, { agents: [{ agentId: "other" }, { agentId: "agent" }] }), [
          "r1",
          "r2",
        ]);
      },
    ),
    storeCase(
      setup,
      "an expired run comes first; after a second time it is a suspect, and at the cap it is stuck [store.claim.stuck]",
      async (store) => {
        await store.create(runRecord("r1"));
        await acquired(store, "r1", "dead", shortTtlMs);
        await expire(setup);
        await store.create(runRecord("r2", { priority: 9 }));
        assert.deepEqual(await claimedIds(store, { limit: 1, ttlMs: shortTtlMs }), ["r1"]);
        await expire(setup);
        assert.deepEqual(await claimedIds(store), ["r2"], "a suspect is claimed alone");
        assert.deepEqual(await claimedIds(store, { suspects: true, ttlMs: shortTtlMs, maxAttempts: 2 }), ["r1"]);
        await expire(setup);
        const request = {
          owner: "w",
          ttlMs: longTtlMs,
          limit: 5,
          agents: [{ agentId: "agent" }],
          maxAttempts: 2,
          suspects: true,
        };
        const claim = await store.claim(request);
        assert.deepEqual([claim.runs, claim.stuck, claim.suspects], [[], ["r1"], false]);
        const stuck = await store.getRun("r1");
        assert.equal(stuck?.state, "stuck");
        assert.equal(await store.requeue("r1", (stuck?.epoch ?? 0) - 1), false, "another epoch");
        assert.equal(await store.requeue("r1", stuck?.epoch ?? 0), true);
        assert.deepEqual(await claimedIds(store), ["r1"]);
      },
    ),
    storeCase(setup, "a claim returns when the next run is due [store.claim.next]", async (store) => {
      const request = {
        owner: "w",
        ttlMs: longTtlMs,
        limit: 5,
        agents: [{ agentId: "agent" }],
        maxAttempts: 5,
        suspects: false,
      };
      assert.equal((await store.claim(request)).nextDueAt, undefined);
      await store.create(runRecord("r1", { dueAt: far }));
      const lease = await createAndAcquire(store, "r2");
      await store.release(lease, { state: "sleeping", wakeAt: far - 5 });
      assert.equal((await store.claim(request)).nextDueAt, far - 5);
      await store.release(await createAndAcquire(store, "r3"), { state: "queued", dueAt: far - 9 });
      assert.equal((await store.claim(request)).nextDueAt, far - 9);
    }),
    storeCase(
      setup,
      "of a session, one run is driven at a time, and claims keep their order [store.session-order]",
      async (store) => {
        const inSession = { inSession: true, sessionId: "s" };
        for (const id of ["r1", "r2"])
          await store.create(runRecord(id, { ...inSession, priority: id === "r2" ? 5 : 0 }));
        await store.create(runRecord("r3", { sessionId: "s" }));
        await store.create(runRecord("r4", { ...inSession, tenantId: "t1" }));
        assert.deepEqual((await claimedIds(store)).toSorted(), ["r1", "r3", "r4"]);
        await rejectsWith(store.acquire("r2", "o", longTtlMs), "SESSION_BUSY", "an acquire beside it");
        const holder = { owner: "o", ttlMs: longTtlMs };
        await rejectsWith(
          store.create(runRecord("r5", inSession), holder),
          "SESSION_BUSY",
          "a run that is driven at once",
        );
        assert.equal(await store.getRun("r5"), undefined, "nothing is stored");
        assert.deepEqual(await claimedIds(store), []);
      },
    ),
    storeCase(
      setup,
      "a suspended run keeps no other run of its session waiting, and two claims never drive two [store.session-order]",
      async (store, { again }) => {
        const inSession = { inSession: true, sessionId: "s" };
        await store.release(await createAndAcquire(store, "r1", inSession), { state: "suspended", waitingOn: ["i"] });
        for (const id of ["r2", "r3", "r4"]) await store.create(runRecord(id, inSession));
        const other = (await again?.()) ?? store;
        const lists = await Promise.all([store, other, store].map((one) => claimedIds(one)));
        assert.deepEqual(lists.flat(), ["r2"]);
      },
    ),
    storeCase(
      setup,
      "a lease whose owner is known to be gone is replaced before it expires, once [store.acquire.gone]",
      async (store) => {
        const first = await createAndAcquire(store);
        assert.equal(await store.acquire("r1", "next", longTtlMs, undefined, first.epoch + 1), null, "another epoch");
        const second = await store.acquire("r1", "next", longTtlMs, undefined, first.epoch);
        assert.equal(second?.epoch, first.epoch + 1);
        assert.equal(await store.acquire("r1", "third", longTtlMs, undefined, first.epoch), null);
        await rejectsWith(store.takeSignals(first), "FENCED", "the former owner");
      },
    ),
    storeCase(setup, "the depth of the queue counts the runs of each agent [store.queue-depth]", async (store) => {
      await store.create(runRecord("r1"));
      await store.create(runRecord("r2", { dueAt: far }));
      await createAndAcquire(store, "r3", { agentId: "other", tenantId: "t" });
      await store.release(await createAndAcquire(store, "r4"), { state: "completed" });
      await store.release(await createAndAcquire(store, "r5", { agentId: "other" }), { state: "stuck" });
      // The clock of the store moves on: the oldest run is the one that was created first.
      await new Promise((resolve) => setTimeout(resolve, 5));
      await store.create(runRecord("r6"));
      const depths = await store.queueDepth();
      assert.deepEqual(
        depths.map(({ oldestQueuedAt: _oldest, oldestQueuedId: _id, ...depth }) => depth),
        [
          { agentId: "agent", queued: 2, delayed: 1, running: 0, stuck: 0 },
          { agentId: "other", queued: 0, delayed: 0, running: 1, stuck: 1 },
        ],
      );
      assert.deepEqual(
        depths.map(({ oldestQueuedId }) => oldestQueuedId),
        ["r1", undefined],
      );
      assert.equal(depths[0]?.oldestQueuedAt, (await store.getRun("r1"))?.createdAt);
      // A run that was delayed counts from its time: a run that was created after it may be older.
      const { createdAt = 0 } = (await store.getRun("r6")) ?? {};
      await store.create(runRecord("d1", { agentId: "third", dueAt: createdAt + 40 }));
      await store.create(runRecord("d2", { agentId: "third" }));
      const ofThird = async () => (await store.queueDepth()).find(({ agentId }) => agentId === "third");
      for (let tries = 0; tries < 200 && (await ofThird())?.queued !== 2; tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 10));
      const [delayed = 0, direct = 0] = await Promise.all(
        ["d1", "d2"].map(async (id) => (await store.getRun(id))?.enqueuedAt),
      );
      const oldest = await ofThird();
      assert.equal(oldest?.oldestQueuedAt, Math.min(delayed, direct));
      if (delayed !== direct) assert.equal(oldest?.oldestQueuedId, delayed < direct ? "d1" : "d2");
    }),
    storeCase(
      setup,
      "those who wait for work are called back when a run becomes ready, also by another process [store.on-ready]",
      async (store, { again }) => {
        if (store.onReady === undefined) return;
        let calls = 0;
        const forget = store.onReady(() => (calls += 1));
        const until = async (count: number): Promise<void> => {
          for (let tries = 0; tries < 200 && calls < count; tries += 1)
            await new Promise((resolve) => setTimeout(resolve, 20));
          assert.ok(calls >= count, `called back ${count} times`);
        };
        // Notifications may take a moment to start.
        await new Promise((resolve) => setTimeout(resolve, 500));
        calls = 0;
        await store.create(runRecord("r1"));
        await until(1);
        const lease = await acquired(store, "r1");
        calls = 0;
        await store.release(lease, { state: "queued" });
        await until(1);
        const waiting = await acquired(store, "r1");
        await store.release(waiting, { state: "suspended", waitingOn: ["x"] });
        calls = 0;
        await store.signal("r1", { name: "cancel", id: "c", payload: "" });
        await until(1);
        const { epoch } = await acquired(store, "r1").then(async (held) => {
          await store.release(held, { state: "failed" });
          return held;
        });
        calls = 0;
        assert.equal(await store.requeue("r1", epoch), true);
        await until(1);
        const other = await again?.();
        if (other !== undefined) {
          calls = 0;
          await other.create(runRecord("r2"));
          await until(1);
        }
        forget();
      },
    ),
  ];
}
