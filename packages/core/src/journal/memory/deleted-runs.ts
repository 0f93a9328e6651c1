/** Maximum number of runs whose deletion with a conversation is remembered. */
const mostDeleted = 10_000;

/** Ids of runs that were deleted with their conversation; the oldest are forgotten first. */
export function deletedRuns(): Pick<Set<string>, "has" | "delete"> & { readonly note: (runId: string) => void } {
  const ids = new Set<string>();
  return {
    has: (runId) => ids.has(runId),
    delete: (runId) => ids.delete(runId),
    note(runId) {
      ids.add(runId);
      for (const oldest of ids) {
        if (ids.size <= mostDeleted) return;
        ids.delete(oldest);
      }
    },
  };
}
