import { isWaiting } from "../../contracts/stop-reason.ts";
import type { Lease } from "../../contracts/ports/run-store.ts";
import type { RunState } from "../../journal/run-state.ts";
import type { Agent } from "../run.ts";

/**
 * True if a run has ended, and runs inside its calls may be open that it cannot continue. A failed run can be resumed until
 * its deadline: it continues the calls that have no result, with the runs inside them.
 */
export function leavesRuns(state: RunState): boolean {
  const { end } = state;
  const calls = [...state.calls.values()];
  return (
    // A call without an outcome was refused, or was open when the run ended or its process died.
    calls.some(({ outcome, inside }) => outcome === undefined || (inside === true && outcome.failure !== undefined)) &&
    end !== undefined &&
    !isWaiting(end.status) &&
    (end.status !== "failed" || end.error?.code === "RUN_EXPIRED" || calls.every(({ result }) => result !== undefined))
  );
}

/**
 * Ends the open runs inside the calls of a run that ended, at any depth: nothing continues them, so lists must not show
 * them as waiting. Their journals stay as they are, because the agents that own them may have other keys.
 *
 * @param outer - Lease of the run that ended. It is released later, so that another process finds the run if this one dies.
 */
export async function endInside(agent: Agent, outer: Lease): Promise<void> {
  const { store, owner, keeper } = agent;
  let after: string | undefined;
  do {
    const { runs, next } = await store.searchRuns({
      insideRunId: outer.runId,
      allTenants: true,
      // No process drives such a run, and only its outer run can continue it.
      states: ["suspended", "sleeping", "queued"],
      after,
    });
    for (const { run } of runs) {
      const lease = await store.acquire(run.id, owner, keeper.leaseMs, outer);
      if (lease === null) continue;
      await endInside(agent, lease);
      await store.release(lease, { state: "cancelled" });
    }
    after = next;
  } while (after !== undefined);
}
