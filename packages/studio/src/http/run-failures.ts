import type { JournalEvent, RunStore, StoredRun } from "@bailiwick/core";
import type { StudioFailure } from "../views/view-types.ts";

/** Maximum number of runs with cached errors. */
const mostKept = 500;

/** Reads the errors with which runs ended. A run that was driven again has another last record, and is read again. */
export function runFailures(store: Pick<RunStore, "load">): (run: StoredRun) => Promise<StudioFailure | undefined> {
  const kept = new Map<string, StudioFailure | undefined>();
  return async ({ id, head }) => {
    const key = `${id} ${head.seq}`;
    if (kept.has(key)) return kept.get(key);
    const [oldest] = kept.keys();
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
    const failure = failureIn(await store.load(id, head.seq - 1).catch(() => []));
    kept.set(key, failure);
    return failure;
  };
}

/** The error of the last end in a journal; a sealed end has none. */
export function failureIn(events: readonly JournalEvent[]): StudioFailure | undefined {
  const error = events.findLast((event) => event.type === "run.end")?.error;
  return error === undefined ? undefined : { code: error.code, message: error.message };
}
