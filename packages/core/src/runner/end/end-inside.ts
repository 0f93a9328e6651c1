import type { Agent } from "../run.ts";

/** States of a run that no process drives and that only its outer run can continue. */
const states = ["suspended", "sleeping", "queued"] as const;
const pageOfRuns = 200;

/**
 * Ends the runs inside the calls of a run that ended without them, at any depth: nothing continues them, so lists must
 * not show them as waiting. Their journals stay as they are, because the agents that own them may have other keys.
 */
export async function endInside(agent: Agent, insideRunId: string): Promise<void> {
  const { store, owner, keeper } = agent;
  let after: string | undefined;
  do {
    const { runs, next } = await store.searchRuns({ insideRunId, allTenants: true, states, limit: pageOfRuns, after });
    for (const { run } of runs) {
      await endInside(agent, run.id);
      const lease = await store.acquire(run.id, owner, keeper.leaseMs);
      if (lease !== null) await store.release(lease, { state: "cancelled" });
    }
    after = next;
  } while (after !== undefined);
}
