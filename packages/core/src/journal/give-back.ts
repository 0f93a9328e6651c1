import type { Lease, RunStore } from "../contracts/ports/run-store.ts";
import { isFenced } from "../errors/store-errors.ts";

/**
 * Gives a lease back whose journal could not be written on: the run is ready for whoever resumes it, and continues from
 * what is on disk. What was asked last may be there although its answer was lost, so the store is asked where the run is.
 *
 * @returns why it is held still: the store cannot be written yet.
 */
export async function giveBack(store: RunStore, lease: Lease): Promise<Error | undefined> {
  try {
    const run = await store.getRun(lease.runId);
    if (run === undefined || run.state !== "running" || run.epoch !== lease.epoch) return undefined;
    await store.release({ ...lease, head: run.head }, { state: "queued" });
    return undefined;
  } catch (error) {
    if (isFenced(error)) return undefined;
    return error instanceof Error ? error : new Error(String(error));
  }
}
