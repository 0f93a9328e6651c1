import { FencedError, memoryStore, type Lease, type RunStore } from "@bailiwick/core";
import { simulate, type SimulationOptions } from "@bailiwick/testing/simulation";
import { expect, test } from "vitest";
import { payTool, paying } from "./payments.test.helper.ts";

type MakeStore = NonNullable<SimulationOptions["store"]>;

/** A memory store, of which some methods are others. */
const storeWith =
  (change: (store: RunStore) => Partial<RunStore>): MakeStore =>
  ({ clock }) => {
    const store = memoryStore({ clock });
    const changed = change(store);
    return new Proxy(store, {
      get: (target, property): unknown => Reflect.get(property in changed ? changed : target, property),
    });
  };

/** The lease of a former holder is taken for the newest one. */
const formerHolderMayAppend = storeWith((store) => {
  const newest = new Map<string, Lease>();
  const noted = <Found extends Lease | null | undefined>(lease: Found): Found => {
    if (lease) newest.set(lease.runId, lease);
    return lease;
  };
  return {
    acquire: async (...given) => noted(await store.acquire(...given)),
    async create(...given) {
      const made = await store.create(...given);
      if ("lease" in made) noted(made.lease);
      return made;
    },
    async claim(request) {
      const claim = await store.claim(request);
      for (const { lease } of claim.runs) noted(lease);
      return claim;
    },
    async append(lease, ...more) {
      try {
        return await store.append(lease, ...more);
      } catch (error) {
        const now = newest.get(lease.runId);
        if (!(error instanceof FencedError) || now === undefined || now.epoch === lease.epoch) throw error;
        return store.append({ ...lease, epoch: now.epoch, owner: now.owner }, ...more);
      }
    },
  };
});

/** Each lease ends after half of its time. */
const halfLeases = storeWith((store) => ({
  acquire: (runId, owner, ttlMs, ...more) => store.acquire(runId, owner, ttlMs / 2, ...more),
  create: (record, holder) => store.create(record, holder && { ...holder, ttlMs: holder.ttlMs / 2 }),
  claim: (request) => store.claim({ ...request, ttlMs: request.ttlMs / 2 }),
  renew: (leases, ttlMs) => store.renew(leases, ttlMs / 2),
}));

test.each([
  ["a former holder of a run may append", formerHolderMayAppend, "journal", /wrote to run .* had taken it over/u],
  ["a lease ends at half of its time", halfLeases, "host", /took the lease on run .* ms before its end/u],
] as const)("the simulator notices a store in which %s [simulation.planted]", async (_defect, store, promise, text) => {
  const { broken } = await simulate(paying(payTool(), { store }), { seeds: 195, single: false, most: 1 });
  expect(broken).toMatchObject([{ promise }]);
  expect(broken[0]?.text).toMatch(text);
});
