import type { RunCounts, RunStore } from "@bailiwick/core";
import type { StudioViewer } from "./options.ts";

/** Time for which counts are reused, in milliseconds. */
const keptMs = 2_000;

/** Maximum number of tenants with cached counts. */
const mostTenants = 200;

/**
 * Counts the runs of a viewer, at most once in two seconds per tenant: a count reads an entry for each stored run, and
 * every open page requests it.
 */
export function keptCounts(store: Pick<RunStore, "countRuns">): (viewer: StudioViewer) => Promise<RunCounts> {
  const kept = new Map<string, { readonly at: number; readonly counts: Promise<RunCounts> }>();
  return ({ tenantId, allTenants }) => {
    const key = JSON.stringify([tenantId, allTenants === true]);
    const known = kept.get(key);
    if (known !== undefined && Date.now() - known.at < keptMs) return known.counts;
    if (kept.size >= mostTenants) kept.clear();
    const counts = store.countRuns({ tenantId, allTenants });
    kept.set(key, { at: Date.now(), counts });
    // A failure is not cached.
    counts.catch(() => kept.delete(key));
    return counts;
  };
}
