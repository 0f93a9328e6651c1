import type { JournalEvent } from "../../contracts/journal-event.ts";
import type { StoredRun } from "../../contracts/ports/stored-run.ts";
import { RunNotFoundError } from "../../errors/run-errors.ts";
import { openValue, sealValue } from "../../journal/sealed-record.ts";
import { readJournal, restoreState, type JournalProtection } from "../../journal/open-journal.ts";
import type { RunState } from "../../journal/run-state.ts";
import type { AgentDefinition } from "../active-run.ts";
import { openForkInput, type ForkPlace } from "../caller/fork-place.ts";
import type { RunOptions } from "../../contracts/run-options.ts";
import { ownCopy } from "../../user-code/copies.ts";
import type { CheckedAgent } from "../checked-agent.ts";

/** A run of the store, all parts read at one moment. */
export interface LoadedRun {
  readonly run: StoredRun;
  readonly events: readonly JournalEvent[];
  readonly state: RunState;
  /** The run and record that a fork was made from. */
  readonly fork?: ForkPlace | undefined;
  /** Options that it was enqueued with, for its first process. */
  readonly queued?: QueuedOptions | undefined;
}

/** Keys and codecs that protect the journals of an agent. */
export function protectionOf(definition: AgentDefinition): JournalProtection {
  return { hasher: definition.hasher, signKey: definition.options.keys?.sign, sealer: definition.sealer };
}

/**
 * Loads a run without driving it.
 *
 * @throws RunNotFoundError when the store does not have it.
 * @throws JournalVersionError, JournalTamperedError, ReplayDivergenceError if its journal is invalid.
 * @throws SealKeyMissingError when it is sealed and the agent has no key.
 */
export async function loadRun(definition: AgentDefinition, runId: string): Promise<LoadedRun> {
  const { store } = definition;
  const run = await store.getRun(runId);
  if (run === undefined) throw new RunNotFoundError(runId, store.name);
  const all = await readJournal(store, runId, protectionOf(definition));
  // Its process may have continued since the run's state was read, which says for example that it waits.
  const events = all.length > run.head.seq ? all.slice(0, run.head.seq) : all;
  const stored = await openValue(run.input, definition.sealer, ["input", runId], `The input of run "${runId}"`);
  const { input: begun, fork } = openForkInput(stored);
  const { input, queued } = openQueuedInput(begun);
  // In one read: a message is sent on the basis of this state, and the run may end at any time after it.
  const state = restoreState(runId, events);
  return { run: input === run.input ? run : { ...run, input }, events, state, fork, queued };
}

/**
 * Loads a run's state without driving it.
 *
 * @throws RunNotFoundError, JournalVersionError, JournalTamperedError, ReplayDivergenceError
 */
export async function loadState(definition: AgentDefinition, runId: string): Promise<RunState> {
  return (await loadRun(definition, runId)).state;
}

/** Options of an enqueued run, stored with its input. */
type QueuedOptions = Pick<RunOptions, "metadata" | "messages">;

/** The input of an enqueued run, as it is stored. */
interface QueuedInput {
  readonly $queued: QueuedOptions;
  readonly input: unknown;
}

/** The input of a run's row, with the options that its first process needs. */
export function queuedInput({ metadata, messages }: QueuedOptions, input: unknown): unknown {
  if (metadata === undefined && messages === undefined) return input;
  const $queued = { ...(metadata !== undefined && { metadata }), ...(messages !== undefined && { messages }) };
  return { $queued, input } satisfies QueuedInput;
}

/** Splits the result of `queuedInput`; any other input is returned unchanged. */
function openQueuedInput(stored: unknown): { readonly input: unknown; readonly queued: QueuedOptions } {
  // A message with a member of that name was sent by a caller: it must not bring options.
  if (typeof stored !== "object" || stored === null || !("$queued" in stored) || "role" in stored)
    return { input: stored, queued: {} };
  const { $queued: queued, input } = stored as QueuedInput;
  return { input, queued };
}

/**
 * The input for fields outside the journal: without known secrets, as in its first record, and sealed if there is a
 * key.
 */
export async function keptInput({ secrets, sealer }: CheckedAgent, runId: string, input: unknown): Promise<unknown> {
  await secrets?.ready();
  const own = ownCopy(input);
  return sealValue(secrets?.scrub(own) ?? own, sealer, ["input", runId]);
}
