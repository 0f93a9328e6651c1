import type { StoredRunState } from "./stored-run.ts";

/** One entry for each state, so that a new state without an entry does not compile. */
const each: Readonly<Record<StoredRunState, true>> = {
  queued: true,
  running: true,
  suspended: true,
  sleeping: true,
  stuck: true,
  completed: true,
  stopped: true,
  cancelled: true,
  failed: true,
};

/** Every state that a stored run can have, for checks of filters. */
export const storedRunStates: readonly StoredRunState[] = Object.freeze(Object.keys(each) as StoredRunState[]);
