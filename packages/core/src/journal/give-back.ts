import type { Lease, RunStore } from "../contracts/ports/run-store.ts";
import { isFenced } from "../errors/store-errors.ts";

/**
 * Gives a lease back whose journal could not be written on: the run is ready for whoever takes it up, and goes on from
 * what is on disk. What was asked last may be there although its answer was lost, so the store is asked where the run is.
 *
 * @returns whether nothing is held any more; `false` when the store cannot be written yet.
 */
export async function giveBack(store: RunStore, lease: Lease): Promise<boolean> {
  try {
    const run = await store.getRun(lease.runId);
    if (run === undefined || run.state !== "running" || run.epoch !== lease.epoch) return true;
    await store.release({ ...lease, head: run.head }, { state: "ready" });
    return true;
  } catch (error) {
    return isFenced(error);
  }
}
