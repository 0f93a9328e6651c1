import type { JournalEvent } from "../../contracts/journal-event.ts";
import type { RunStore } from "../../contracts/ports/run-store.ts";
import type { StoredRun } from "../../contracts/ports/stored-run.ts";
import { RunNotFoundError } from "../../errors/run-errors.ts";
import { id } from "../../errors/id-check.ts";
import { openValue } from "../../journal/sealed-record.ts";
import { readJournal, restoreState, type JournalProtection } from "../../journal/open-journal.ts";
import type { RunState } from "../../journal/run-state.ts";
import { openForkInput, type ForkPlace } from "../state/fork-place.ts";
import { openQueuedInput, type QueuedOptions } from "./queued-input.ts";
import type { Agent } from "../run.ts";

/** A stored run, with all parts read at one time. */
export interface LoadedRun {
  readonly run: StoredRun;
  readonly events: readonly JournalEvent[];
  readonly state: RunState;
  /** The run and record that a fork was made from. */
  readonly fork?: ForkPlace | undefined;
  /** Options that it was created with, for the process that begins it. */
  readonly queued: QueuedOptions;
}

/** Keys and codecs that protect the journals of an agent. */
export function protectionOf(agent: Agent): JournalProtection {
  return { hasher: agent.hasher, signKey: agent.options.keys?.sign, sealer: agent.sealer };
}

/**
 * Loads a run without driving it.
 *
 * @throws RunNotFoundError when the store does not have it.
 * @throws JournalVersionError, JournalTamperedError, ReplayDivergenceError if its journal is invalid.
 * @throws SealKeyMissingError when it is sealed and the agent has no key.
 */
export async function loadRun(agent: Agent, runId: string): Promise<LoadedRun> {
  const { store } = agent;
  checkRunId(store, runId);
  const run = await store.getRun(runId);
  if (run === undefined) throw new RunNotFoundError(runId, store.name);
  const all = await readJournal(store, runId, protectionOf(agent));
  // Its process may have continued since the run's state was read as, for example, waiting.
  const events = all.length > run.head.seq ? all.slice(0, run.head.seq) : all;
  const stored = await openValue(run.input, agent.sealer, ["input", runId], `The input of run "${runId}"`);
  const { input: begun, fork } = openForkInput(stored);
  const { input, queued } = openQueuedInput(begun);
  // Reads everything at once: a message is sent on the basis of this state, and the run may end at any time afterwards.
  const state = restoreState(runId, events);
  return { run: input === run.input ? run : { ...run, input }, events, state, fork, queued };
}

/**
 * Refuses a text that no run has as its id, such as half of a surrogate pair, before a store has to read it.
 *
 * @throws RunNotFoundError
 */
export function checkRunId(store: RunStore, runId: string): void {
  if (id(runId) !== undefined) throw new RunNotFoundError(runId, store.name);
}

/**
 * Loads a run's state without driving it.
 *
 * @throws RunNotFoundError, JournalVersionError, JournalTamperedError, ReplayDivergenceError
 */
export async function loadState(agent: Agent, runId: string): Promise<RunState> {
  return (await loadRun(agent, runId)).state;
}
