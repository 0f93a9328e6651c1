import type { RunFilter, StoredRun } from "@bailiwick/core";
import type { ServedStore } from "../runs/served-agent.ts";

/** Most runs that are looked at for one page: a caller with more inner runs than these gets a shorter one. */
const mostLookedAt = 10_000;

/**
 * Runs that no call of another run began, newest first. Runs inside calls take no places of the page.
 *
 * @param store - Where they live.
 * @param filter - Which ones.
 * @param limit - The most that are given.
 */
export async function outerRuns(
  store: ServedStore,
  filter: Omit<RunFilter, "limit">,
  limit: number,
): Promise<readonly StoredRun[]> {
  for (let asked = limit; ; asked = Math.min(asked * 4, mostLookedAt)) {
    const listed = await store.listRuns({ ...filter, limit: asked });
    const outer = listed.filter(({ parent }) => parent === undefined);
    if (outer.length >= limit || listed.length < asked || asked >= mostLookedAt) return outer.slice(0, limit);
  }
}
