import { RunError, RunNotFoundError, type RunStore, checkArgument } from "@bailiwick/core";

/**
 * Puts a run that is `stuck` or failed back in the queue, so that a worker drives it again. To discard one instead, call
 * `agent.cancel(runId)`.
 *
 * @param store - The store of the run.
 * @param runId - The run.
 * @throws RunNotFoundError `RUN_NOT_FOUND`
 * @throws RunError `RUN_NOT_RETRYABLE` for a run that is driven, waits for a person, or has another end.
 * @example
 * ```ts
 * import type { RunStore } from "@bailiwick/core";
 * import { retryRun } from "@bailiwick/worker";
 *
 * export async function retryStuck(store: RunStore, tenantId: string): Promise<void> {
 *   for (const { id } of await store.listRuns({ state: "stuck", tenantId, allUsers: true })) await retryRun(store, id);
 * }
 * ```
 */
export async function retryRun(store: RunStore, runId: string): Promise<void> {
  checkArgument(store, "getRun", "retryRun(store, runId)");
  checkArgument(runId, "string", "retryRun(store, runId)");
  const run = await store.getRun(runId);
  if (run === undefined) throw new RunNotFoundError(runId, store.name);
  if (await store.requeue(runId, run.epoch)) return;
  throw new RunError(
    "RUN_NOT_RETRYABLE",
    `Run "${runId}" is "${run.state}", so it cannot be put back in the queue. Only stuck, failed or queued runs can.`,
    { runId },
  );
}
