import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { Lease, RunStore, Signal } from "@bailiwick/core";
import { BailiwickError } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { longTtlMs, records, runRecord, storeCase, takenRecord } from "./store-case.ts";
import type { StoreSetup } from "./store-case.ts";

/** One step of a random history of a run: who does what. */
type Step =
  | { readonly kind: "acquire" | "release" | "take" | "renew"; readonly who: number }
  | { readonly kind: "append"; readonly who: number; readonly count: number; readonly stale: boolean }
  | { readonly kind: "signal"; readonly id: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("acquire" as const, "release" as const, "take" as const, "renew" as const),
    who: fc.nat(2),
  }),
  fc.record({
    kind: fc.constant("append" as const),
    who: fc.nat(2),
    count: fc.integer({ min: 1, max: 3 }),
    stale: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("signal" as const), id: fc.nat(5) }),
);

/** Laws that hold for every history. */
export function propertyCases(setup: StoreSetup): readonly ConformanceCase[] {
  return [
    storeCase(
      setup,
      "in any order of holders, appends and signals, the log has no gap, each signal once, and one writer an epoch [store.append]",
      async (store) => {
        let run = 0;
        await fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.boolean(), async (steps, atOnce) => {
            run += 1;
            await playHistory(store, `p${run}`, steps, atOnce);
          }),
          { numRuns: setup.runs },
        );
      },
    ),
  ];
}

async function playHistory(store: RunStore, runId: string, steps: readonly Step[], atOnce: boolean): Promise<void> {
  await store.create(runRecord(runId));
  const leases = new Map<number, Lease>();
  const sent = new Set<string>();
  const acknowledged: { readonly seq: number; readonly epoch: number }[] = [];

  const play = async (what: Step): Promise<void> => {
    if (what.kind === "signal") {
      sent.add(`s${what.id}`);
      return store.signal(runId, { name: "steer", id: `s${what.id}`, payload: what.id });
    }
    const lease = leases.get(what.who);
    if (what.kind === "acquire") {
      const got = await store.acquire(runId, `o${what.who}`, longTtlMs);
      if (got !== null) leases.set(what.who, got);
      return;
    }
    if (lease === undefined) return;
    if (what.kind === "release") return store.release(lease, { state: "queued" });
    if (what.kind === "renew") {
      await store.renew([lease], longTtlMs);
      return;
    }
    const after =
      what.kind === "append" && what.stale
        ? { ...lease, head: { seq: Math.max(0, lease.head.seq - 1), hash: "" } }
        : lease;
    const events =
      what.kind === "append"
        ? records(runId, after.head.seq, what.count)
        : (await store.takeSignals(lease)).map((signal: Signal, index) =>
            takenRecord(runId, lease.head.seq + 1 + index, signal),
          );
    if (events.length === 0) return;
    const head = await store.append(after, events);
    for (const { seq } of events) acknowledged.push({ seq, epoch: lease.epoch });
    leases.set(what.who, { ...lease, head });
  };
  const playSafely = (what: Step): Promise<void> =>
    play(what).catch((error: unknown) => {
      // A refusal is a valid answer; any other error is not.
      assert.ok(BailiwickError.isInstance(error) && error.code === "FENCED", String(error));
    });

  if (atOnce) await Promise.all(steps.map(playSafely));
  else for (const what of steps) await playSafely(what);

  const log = await store.load(runId);
  assert.deepEqual(
    log.map(({ seq }) => seq),
    log.map((_, index) => index + 1),
    "no gap, no double",
  );
  assert.deepEqual(
    acknowledged.map(({ seq }) => seq).sort((a, b) => a - b),
    log.map(({ seq }) => seq),
    "resolved writes are stored, and no others",
  );
  const inOrder = acknowledged.toSorted((a, b) => a.seq - b.seq).map(({ epoch }) => epoch);
  assert.deepEqual(
    inOrder,
    inOrder.toSorted((a, b) => a - b),
    "no older holder writes after a newer one",
  );
  const taken = log.flatMap((event) => (event.type === "signal.taken" ? [event.signal.id] : []));
  assert.equal(new Set(taken).size, taken.length, "no signal twice");
  for (const id of taken) assert.ok(sent.has(id));
}
