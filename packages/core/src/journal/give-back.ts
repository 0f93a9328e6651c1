import type { Lease, RunStore } from "../contracts/ports/run-store.ts";
import { isFenced } from "../errors/store-errors.ts";

/**
 * Releases a lease after a write to the journal failed: the run can be resumed, and continues from the stored records.
 * The last append may have been written although its reply was lost, so the head is read from the store.
 *
 * @returns the reason why the lease is kept: the store still fails.
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
