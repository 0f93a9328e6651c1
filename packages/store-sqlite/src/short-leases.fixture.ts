import type { RunStore } from "@bailiwick/core";

/** The store with leases that soon expire, so that another owner can resume a run without a long wait. */
export function shortLeases(store: RunStore, ttlMs: number): RunStore {
  return {
    ...store,
    create: (record, holder) => store.create(record, holder && { ...holder, ttlMs }),
    acquire: (runId, owner) => store.acquire(runId, owner, ttlMs),
  };
}
