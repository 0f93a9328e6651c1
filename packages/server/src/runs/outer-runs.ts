import type { RunFilter, StoredRun } from "@bailiwick/core";
import type { ServedStore } from "../runs/served-agent.ts";

/** Number of runs that are read at once if a page is not found among fewer. */
const runsAtOnce = 1_000;

/**
 * Runs that no call of another run began, newest first. Inner runs do not count towards the page's
 * limit.
 *
 * @param store - Store of the runs.
 * @param filter - The wanted runs.
 * @param limit - Maximum number of runs.
 */
export async function outerRuns(
  store: ServedStore,
  filter: Omit<RunFilter, "limit">,
  limit: number,
): Promise<readonly StoredRun[]> {
  const outer: StoredRun[] = [];
  let { before } = filter;
  let known: ReadonlySet<string> = new Set();
  for (let asked = limit; ;) {
    const listed = await store.listRuns({ ...filter, before, limit: asked });
    const further = listed.filter(({ id }) => !known.has(id));
    outer.push(...further.filter(({ parent }) => parent === undefined));
    const last = listed.at(-1);
    if (last === undefined || outer.length >= limit || listed.length < asked) return outer.slice(0, limit);
    // Runs of the same millisecond may be missing here: they are requested again, with a higher limit if these are all.
    asked = further.length === 0 ? asked * 4 : Math.max(limit, runsAtOnce);
    if (further.length > 0) {
      before = last.createdAt + 1;
      known = new Set(listed.filter(({ createdAt }) => createdAt === last.createdAt).map(({ id }) => id));
    }
  }
}
