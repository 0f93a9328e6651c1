import type { Run } from "../run.ts";

/** Maximum number of runs that wait in an agent without a store. */
const mostWaiting = 1_000;

/**
 * Notes that a run of an agent without a store waits. Beyond a thousand waiting runs, the one that waits longest is
 * deleted: nothing else would ever end it.
 */
export async function noteWaiting(run: Run): Promise<void> {
  const { agent, logger, runId } = run;
  const { waiting, store, name } = agent;
  if (run.isFirst("in-memory"))
    logger.warn(
      `Run ${runId} waits, and agent "${name}" has no store: the run is lost when this process ends. Set "store" to resume it elsewhere.`,
    );
  waiting.delete(runId);
  waiting.add(runId);
  for (const oldest of waiting) {
    if (waiting.size <= mostWaiting) return;
    waiting.delete(oldest);
    const stored = await store.getRun(oldest);
    if (stored?.state !== "suspended" && stored?.state !== "sleeping") continue;
    if (!(await store.deleteRun(oldest, stored.epoch))) continue;
    logger.warn(
      `Run ${oldest} was deleted: more than ${mostWaiting} runs of agent "${name}" wait, and it has no store. Set "store" to keep them.`,
    );
  }
}
