import assert from "node:assert/strict";
import type { Signal } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import {
  acquired,
  appended,
  createAndAcquire,
  longTtlMs,
  rejectsWith,
  records,
  storeCase,
  takenRecord,
} from "./store-case.ts";
import type { StoreSetup } from "./store-case.ts";

const steer = (id: string): Signal => ({ name: "steer", id, payload: { text: id, deep: [1, { a: null }] } });

/** Signals from outside. */
export function inboxCases(setup: StoreSetup): readonly ConformanceCase[] {
  return [
    storeCase(
      setup,
      "signals need no lease, arrive in order, and the same id arrives once [store.signal]",
      async (store) => {
        const lease = await createAndAcquire(store);
        for (const id of ["b", "a", "b", "c"]) await store.signal("r1", steer(id));
        assert.deepEqual(await store.takeSignals(lease), [steer("b"), steer("a"), steer("c")]);
        assert.deepEqual(
          await store.takeSignals(lease),
          [steer("b"), steer("a"), steer("c")],
          "reading takes nothing away",
        );
        assert.equal((await store.getRun("r1"))?.state, "running");
      },
    ),
    storeCase(
      setup,
      "a signal leaves the inbox with the record that takes it, and never returns [store.signal]",
      async (store) => {
        const lease = await createAndAcquire(store);
        await store.signal("r1", steer("a"));
        await store.signal("r1", steer("b"));
        const held = await appended(store, lease, [takenRecord("r1", 1, steer("a"))]);
        assert.deepEqual(await store.takeSignals(held), [steer("b")]);
        await store.signal("r1", steer("a"));
        assert.deepEqual(await store.takeSignals(held), [steer("b")]);
        await rejectsWith(
          store.append(held, [takenRecord("r1", 2, steer("b")), ...records("r1", 5, 1)]),
          "SEQUENCE_GAP",
          "a refused append",
        );
        assert.deepEqual(await store.takeSignals(held), [steer("b")], "takes nothing");
      },
    ),
    storeCase(
      setup,
      "a waiting or sleeping run becomes ready; one that is done stays so [store.signal]",
      async (store) => {
        for (const [id, next, after] of [
          ["r1", { state: "suspended", waitingOn: ["x"] }, "queued"],
          ["r2", { state: "sleeping", wakeAt: 99_999_999_999_999 }, "queued"],
          ["r3", { state: "completed" }, "completed"],
          ["r4", { state: "failed" }, "failed"],
        ] as const) {
          await store.release(await createAndAcquire(store, id), next);
          await store.signal(id, steer("s"));
          const run = await store.getRun(id);
          assert.equal(run?.state, after, id);
          assert.equal(run?.waitingOn, undefined);
          assert.equal(run?.dueAt, undefined);
        }
      },
    ),
    storeCase(
      setup,
      "a signal that arrives between the last read and the release is not missed [store.signal]",
      async (store) => {
        const lease = await createAndAcquire(store);
        assert.deepEqual(await store.takeSignals(lease), []);
        await store.signal("r1", steer("late"));
        await store.release(lease, { state: "suspended", waitingOn: ["x"] });
        assert.equal((await store.getRun("r1"))?.state, "queued");
        assert.deepEqual(await store.takeSignals(await acquired(store, "r1")), [steer("late")]);
      },
    ),
    storeCase(
      setup,
      "a run is not done while a signal that its end names is in its inbox [store.signal]",
      async (store) => {
        const done = { state: "completed", unlessSignals: ["steer", "input"] } as const;
        await store.release(await createAndAcquire(store, "r1"), done);
        assert.equal((await store.getRun("r1"))?.state, "completed", "nothing came");
        const other = await createAndAcquire(store, "r2");
        await store.signal("r2", { name: "decision", id: "d", payload: "yes" });
        await store.release(other, done);
        assert.equal((await store.getRun("r2"))?.state, "completed", "a signal of another name");
        const late = await createAndAcquire(store, "r3");
        await store.signal("r3", steer("late"));
        await store.release(late, done);
        assert.equal((await store.getRun("r3"))?.state, "queued", "a signal that is named");
        assert.deepEqual(await store.takeSignals(await acquired(store, "r3")), [steer("late")]);
      },
    ),
    storeCase(
      setup,
      "renewing returns the runs with waiting signals [seams.store.renew-reports-signals]",
      async (store) => {
        const leases = [await createAndAcquire(store, "r1"), await createAndAcquire(store, "r2")];
        await store.signal("r2", { name: "cancel", id: "c", payload: "enough" });
        const answers = await store.renew(leases, longTtlMs);
        assert.deepEqual(
          answers.map(({ runId, held, signalsWaiting }) => [runId, held, signalsWaiting]),
          [
            ["r1", true, false],
            ["r2", true, true],
          ],
        );
        const [, lease] = leases;
        const [signal] = lease === undefined ? [] : await store.takeSignals(lease);
        if (lease === undefined || signal === undefined) throw new Error("The signal is missing.");
        await store.append(lease, [takenRecord("r2", 1, signal)]);
        const after = await store.renew([{ ...lease, head: { ...lease.head, seq: 1 } }], longTtlMs);
        assert.deepEqual(
          after.map(({ signalsWaiting }) => signalsWaiting),
          [false],
          "a signal that was taken waits no longer",
        );
      },
    ),
    storeCase(
      setup,
      "anyone who subscribes is called when a signal arrives, until it ends that [store.signal]",
      async (store) => {
        if (store.subscribe === undefined) return;
        await createAndAcquire(store);
        await createAndAcquire(store, "r2");
        let calls = 0;
        const end = store.subscribe("r1", () => (calls += 1));
        await store.signal("r1", steer("a"));
        await store.signal("r1", steer("a"));
        await store.signal("r2", steer("a"));
        assert.equal(calls, 1);
        end();
        await store.signal("r1", steer("b"));
        assert.equal(calls, 1);
      },
    ),
  ];
}
