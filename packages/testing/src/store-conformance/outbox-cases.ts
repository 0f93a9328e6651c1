import assert from "node:assert/strict";
import type { OutboxEvent } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { expire, longTtlMs, storeCase } from "./store-case.ts";
import type { StoreSetup } from "./store-case.ts";

function event(id: string, fields: Partial<OutboxEvent> = {}): OutboxEvent {
  return { id, runId: `run-${id}`, epoch: 1, at: 1_000, ...fields };
}

/** The outbox of a store that has one. */
export function outboxCases(setup: StoreSetup): readonly ConformanceCase[] {
  return [
    storeCase(
      setup,
      "several processes take each event of a queue once, and queues are apart [seams.store.outbox]",
      async ({ outbox }, { again }) => {
        if (outbox === undefined) return;
        const ids = Array.from({ length: 12 }, (_, n) => `e${n}`);
        await outbox.add(
          "one",
          ids.map((id) => event(id, { epoch: 7, at: 5 })),
        );
        await outbox.add("two", [event("e0")]);
        const other = (await again?.())?.outbox ?? outbox;
        const taken = await Promise.all([outbox, other, outbox, other].map((one) => one.take("one", 3, longTtlMs)));
        const first = taken.flat();
        assert.deepEqual(first.map(({ id }) => id).toSorted(), ids.toSorted());
        assert.deepEqual(
          first.find(({ id }) => id === "e4"),
          { id: "e4", runId: "run-e4", epoch: 7, at: 5, attempts: 1 },
        );
        assert.deepEqual(await outbox.take("one", 3, longTtlMs), []);
        assert.equal((await outbox.waiting("one")).count, 12);
        assert.deepEqual(
          (await outbox.take("two", 3, longTtlMs)).map(({ id }) => id),
          ["e0"],
        );
        assert.deepEqual(await outbox.waiting("three"), { count: 0, nextAt: undefined });
      },
    ),
    storeCase(
      setup,
      "a known event is not added again, also after it was settled, until the queue forgets it [seams.store.outbox]",
      async ({ outbox }) => {
        if (outbox === undefined) return;
        await outbox.add("one", [event("old", { at: 10 }), event("new", { at: 20 })]);
        await outbox.add("one", [event("old", { at: 10 }), event("old", { at: 10 })]);
        const taken = await outbox.take("one", 9, longTtlMs);
        assert.equal(taken.length, 2);
        for (const one of taken) assert.equal(await outbox.settle("one", one), true);
        assert.deepEqual(await outbox.waiting("one"), { count: 0, nextAt: undefined });
        await outbox.add("one", [event("old", { at: 10 }), event("new", { at: 20 })]);
        assert.deepEqual(await outbox.take("one", 9, longTtlMs), []);
        await outbox.add("one", [], 20);
        await outbox.add("one", [event("old", { at: 10 }), event("new", { at: 20 })]);
        assert.deepEqual(
          (await outbox.take("one", 9, longTtlMs)).map(({ id }) => id),
          ["old"],
        );
      },
    ),
    storeCase(
      setup,
      "the event of a process that died is taken again, and its late answer changes nothing [seams.store.outbox]",
      async ({ outbox }) => {
        if (outbox === undefined) return;
        await outbox.add("one", [event("e1"), event("e2")]);
        const [lost, kept] = await outbox.take("one", 2, setup.shortTtlMs);
        assert.ok(lost && kept);
        assert.equal(await outbox.settle("one", kept, longTtlMs), true);
        await expire(setup);
        const taken = await outbox.take("one", 9, longTtlMs);
        assert.deepEqual(
          taken.map(({ id, attempts }) => ({ id, attempts })),
          [{ id: lost.id, attempts: 2 }],
        );
        assert.equal(await outbox.settle("one", lost), false);
        assert.equal((await outbox.waiting("one")).count, 2);
        assert.equal(await outbox.settle("one", taken[0] ?? lost), true);
        assert.equal(await outbox.settle("one", taken[0] ?? lost), false);
        const { count, nextAt } = await outbox.waiting("one");
        assert.equal(count, 1);
        assert.ok((nextAt ?? 0) > 0);
      },
    ),
  ];
}
