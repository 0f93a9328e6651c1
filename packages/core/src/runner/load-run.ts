import type { JournalEvent } from "../contracts/journal-event.ts";
import { RunNotFoundError } from "../errors/run-errors.ts";
import { JournalVersionError, ReplayDivergence } from "../errors/store-errors.ts";
import { JOURNAL_VERSION } from "../contracts/journal-event.ts";
import { eventKey } from "../journal/event-keys.ts";
import { emptyRunState, fold } from "../journal/fold.ts";
import type { RunState } from "../journal/run-state.ts";
import type { AgentDefinition } from "./active-run.ts";

/**
 * Loads a run's journal.
 *
 * @throws RunNotFoundError when the store does not have it.
 */
export async function loadEvents(definition: AgentDefinition, runId: string): Promise<readonly JournalEvent[]> {
  const { store } = definition;
  if ((await store.getRun(runId)) === undefined) throw new RunNotFoundError(runId, store.name);
  return store.load(runId);
}

/**
 * Loads a run's state.
 *
 * @throws RunNotFoundError when the store does not have it.
 * @throws JournalVersionError when a newer version wrote it.
 * @throws ReplayDivergence when a record does not have the key that the run derives.
 */
export async function loadState(definition: AgentDefinition, runId: string): Promise<RunState> {
  return foldChecked(runId, await loadEvents(definition, runId));
}

/** Folds records, and derives every key again. */
export function foldChecked(runId: string, events: readonly JournalEvent[]): RunState {
  const state = emptyRunState();
  for (const event of events) {
    if (event.type === "run.start" && event.version > JOURNAL_VERSION) throw new JournalVersionError(runId, event.version, JOURNAL_VERSION);
    const expected = eventKey(state, event);
    if (expected !== event.key) throw new ReplayDivergence(runId, expected, event.key);
    fold(state, event);
  }
  return state;
}
