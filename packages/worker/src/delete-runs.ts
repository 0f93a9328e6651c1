import { ConfigurationError, type EndedStatus, type RunStore, type StoredRun, checkArgument } from "@bailiwick/core";
import { checkKnownNames } from "@bailiwick/core/extension";

/** States in which a run can be deleted: it ended, is suspended, or is stuck. */
export type DeletableState = EndedStatus | Extract<StoredRun["state"], "stuck" | "suspended">;

/** Options of `deleteRuns`. */
export interface DeleteRunsOptions {
  /** Deletes runs that ended, became stuck or were suspended longer ago than this, in milliseconds. */
  readonly olderThanMs: number;
  /** Default `["completed", "stopped", "cancelled"]`: a failed run can still be resumed. */
  readonly states?: readonly DeletableState[] | undefined;
  /** Limits the deletion to this tenant, with all its users. Default: the runs of every tenant. */
  readonly tenantId?: string | undefined;
  /** Maximum number of runs; default 10,000. */
  readonly limit?: number | undefined;
  /** Stops after the current deletion. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of `deleteRuns`. */
export interface DeletedRuns {
  /** Number of runs that were deleted. */
  readonly deleted: number;
  /** True if the limit or the signal ended it before all were deleted: call it again. */
  readonly more: boolean;
}

/** Number of runs in one list. */
const pageSize = 200;

const deletable: readonly DeletableState[] = ["completed", "stopped", "cancelled", "failed", "stuck", "suspended"];

/**
 * Deletes runs above an age, with their records, the runs inside their calls and their blobs. A run that is resumed in
 * the meantime stays. Sessions keep their messages.
 *
 * @param store - The store of the runs.
 * @param options - Their age and states.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @throws StoreError if the store cannot be written; earlier deletions are kept.
 * @example
 * ```ts
 * import type { RunStore } from "@bailiwick/core";
 * import { deleteRuns } from "@bailiwick/worker";
 *
 * export async function everyNight(store: RunStore): Promise<void> {
 *   await deleteRuns(store, { olderThanMs: 90 * 86_400_000, states: ["completed", "stopped", "cancelled", "failed"] });
 * }
 * ```
 */
export async function deleteRuns(store: RunStore, options: DeleteRunsOptions): Promise<DeletedRuns> {
  checkArgument(store, "deleteRun", "deleteRuns(store, { olderThanMs })");
  checkArgument(options, "object", "deleteRuns(store, { olderThanMs })");
  const { olderThanMs, states, limit, tenantId, signal } = checked(options);
  const settledBefore = Date.now() - olderThanMs;
  const owner = tenantId === undefined ? { allTenants: true } : { tenantId, allUsers: true };
  let deleted = 0;
  let settledSince = 0;
  let pageLimit = pageSize;
  for (;;) {
    const page = await store.listRuns({ ...owner, state: states, settledSince, settledBefore, limit: pageLimit });
    let left = 0;
    for (const { id, epoch } of page) {
      if (deleted >= limit || signal?.aborted === true) return { deleted, more: true };
      if (await store.deleteRun(id, epoch)) deleted += 1;
      else left += 1;
    }
    if (page.length < pageLimit) return { deleted, more: false };
    settledSince = page.at(-1)?.settledAt ?? settledSince;
    // Remaining runs keep their position in the next list.
    pageLimit = Math.max(pageSize, left * 2);
  }
}

function checked(options: DeleteRunsOptions): DeleteRunsOptions & {
  readonly states: readonly DeletableState[];
  readonly limit: number;
} {
  checkKnownNames(options, ["olderThanMs", "states", "tenantId", "limit", "signal"], "deleteRuns()");
  const { olderThanMs, states = ["completed", "stopped", "cancelled"], limit = 10_000 } = options;
  const refuse = (what: string): never => {
    throw new ConfigurationError("INVALID_OPTION", `deleteRuns(): ${what}`);
  };
  if (!(Number.isFinite(olderThanMs) && olderThanMs >= 0))
    refuse(`"olderThanMs" is a number of milliseconds, 0 or more.`);
  if (!(Number.isInteger(limit) && limit >= 1)) refuse(`"limit" must be a whole number of 1 or more.`);
  const wrong = states.find((state) => !deletable.includes(state));
  if (wrong !== undefined) refuse(`"states" holds "${wrong}". Give one or more of ${deletable.join(", ")}.`);
  if (states.length === 0) refuse(`"states" is empty. Give one or more of ${deletable.join(", ")}.`);
  return { ...options, states, limit };
}
