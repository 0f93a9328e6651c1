import type { RunFilter, StoredRun } from "@bailiwick/core";
import type { ServedStore } from "../runs/served-agent.ts";

/** Number of runs that are read at once if a page is not found among fewer. */
const runsAtOnce = 1_000;

/** Number of runs of other users that one list looks at. */
const mostLooked = 1_000;

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
  for await (const run of newestFirst(store, filter, limit)) {
    outer.push(run);
    if (outer.length >= limit) break;
  }
  return outer;
}

/** A page of runs. */
export interface RunPage {
  readonly runs: readonly StoredRun[];
  /** The `before` of the next page, if this list looked at as many runs as it may and its page is not full. */
  readonly next?: number | undefined;
}

/**
 * The caller's own runs and those of other users of the tenant that are shared with the caller, newest first.
 *
 * @param store - Store of the runs.
 * @param own - The wanted runs of the caller.
 * @param limit - Maximum number of runs.
 * @param isShared - Decides about a run of another user.
 */
export async function ownAndSharedRuns(
  store: ServedStore,
  own: Omit<RunFilter, "limit">,
  limit: number,
  isShared: (run: StoredRun) => Promise<boolean>,
): Promise<RunPage> {
  const { userId, ...filter } = own;
  const found = [...(await outerRuns(store, own, limit))];
  let shared = 0;
  let looked = 0;
  let next: number | undefined;
  for await (const run of newestFirst(store, { ...filter, allUsers: true }, runsAtOnce)) {
    if (looked === mostLooked) {
      next = run.createdAt + 1;
      break;
    }
    looked += 1;
    if ((run.userId ?? undefined) === userId || !(await isShared(run))) continue;
    found.push(run);
    shared += 1;
    if (shared === limit) break;
  }
  const runs = found.sort((a, b) => b.createdAt - a.createdAt).slice(0, limit);
  return { runs, next: runs.length < limit ? next : undefined };
}

async function* newestFirst(
  store: ServedStore,
  filter: Omit<RunFilter, "limit">,
  first: number,
): AsyncGenerator<StoredRun> {
  let { before } = filter;
  let known: ReadonlySet<string> = new Set();
  for (let asked = first; ;) {
    const listed = await store.listRuns({ ...filter, before, limit: asked });
    const further = listed.filter(({ id }) => !known.has(id));
    yield* further.filter(({ parent }) => parent === undefined);
    const last = listed.at(-1);
    if (last === undefined || listed.length < asked) return;
    // Runs of the same millisecond may be missing here: they are requested again, with a higher limit if these are all.
    asked = further.length === 0 ? asked * 4 : Math.max(first, runsAtOnce);
    if (further.length > 0) {
      before = last.createdAt + 1;
      known = new Set(listed.filter(({ createdAt }) => createdAt === last.createdAt).map(({ id }) => id));
    }
  }
}
