import type { JournalEvent } from "../../contracts/journal-event.ts";
import type { RunStore, Release } from "../../contracts/ports/run-store.ts";
import type { StoredRun } from "../../contracts/ports/stored-run.ts";
import { RunNotFoundError } from "../../errors/run-errors.ts";
import { id } from "../../errors/id-check.ts";
import { openValue } from "../../journal/sealed-record.ts";
import { readJournal, restoreState, type JournalProtection } from "../../journal/open-journal.ts";
import type { RunState } from "../../journal/run-state.ts";
import { openNoted, type ForkPlace } from "../state/fork-place.ts";
import type { QueuedOptions } from "./run-input.ts";
import type { Agent } from "../run.ts";
import { isWaiting } from "../../contracts/stop-reason.ts";
import { statusOf } from "../stop-reason.ts";
import type { Interruption } from "../../contracts/interruption.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import { answerText } from "../../history/answer-text.ts";
import { runOutput } from "../answer/run-output.ts";
import { releaseCompleted } from "../inbox/signals.ts";
import { interruption } from "../interruption.ts";
import { openQuestions } from "../tool-call/approval-binding.ts";
import { modelCallQuestion } from "../model/unknown-model-call.ts";

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
 * @throws RunNotFoundError when the store does not have it, ConversationDeletedError when its conversation was deleted.
 * @throws JournalVersionError, JournalTamperedError, ReplayDivergenceError if its journal is invalid.
 * @throws SealKeyMissingError when it is sealed and the agent has no key.
 */
export async function loadRun(agent: Agent, runId: string): Promise<LoadedRun> {
  const { store } = agent;
  checkRunId(store, runId);
  const run = await store.getRun(runId);
  if (run === undefined) {
    // The store says if the run was deleted with its conversation.
    await store.load(runId);
    throw new RunNotFoundError(runId, store.name);
  }
  const all = await readJournal(store, runId, protectionOf(agent));
  // Its process may have continued since the run's state was read as, for example, waiting.
  const events = all.length > run.head.seq ? all.slice(0, run.head.seq) : all;
  const stored = await openValue(run.input, agent.sealer, ["input", runId], `The input of run "${runId}"`);
  const { input: begun, note: fork } = openNoted<ForkPlace>(stored, "$fork");
  const { input, note: queued = {} } = openNoted<QueuedOptions>(begun, "$queued");
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

/** Open interruptions of a run, from its journal. */
export function openInterruptions(state: RunState): readonly Interruption[] {
  const questions = [...state.calls.values()].flatMap((call) => [...openQuestions(call)]);
  const aboutModel = modelCallQuestion(state);
  return (aboutModel === undefined ? questions : [...questions, aboutModel]).map((data) => interruption(data));
}

/**
 * State in which the store keeps a run that no process drives, by its journal: suspended until a person decides;
 * sleeping until a time, its deadline or a signal; ended, unless a message arrived that it has not read; any other run is queued.
 */
export function releaseOf(state: RunState): Release {
  const { suspended, end, pendingDecisions, cancelRequested, start } = state;
  // The message arrived after the run last read its inbox: no other process will deliver it.
  const unread = pendingDecisions.length > 0 || cancelRequested !== undefined;
  if (suspended !== undefined && unread) return { state: "queued" };
  if (suspended?.wakeAt !== undefined)
    return { state: "sleeping", wakeAt: Math.min(suspended.wakeAt, start?.deadlineAt ?? Infinity) };
  if (suspended !== undefined) return { state: "suspended", waitingOn: suspended.interruptionIds };
  if (end?.status === "completed") return releaseCompleted(state);
  if (end === undefined || isWaiting(end.status)) return { state: "queued" };
  return { state: end.status };
}

/** Makes the output of a run that ended or pauses, from its journal alone. */
export function storedOutput(state: RunState): RunOutput {
  const { end } = state;
  const reason = end?.stopReason ?? state.suspended?.reason ?? "failed";
  return runOutput(state, {
    status: end?.status ?? statusOf[reason],
    stopReason: reason,
    text: end?.text ?? answerText(state.lastAnswer),
    structured: end?.structured,
    durationMs: end?.durationMs ?? 0,
    interruptions: end === undefined || isWaiting(end.status) ? openInterruptions(state) : [],
    followupSuggestions: end?.followupSuggestions,
  });
}

/** The output of an ended run; `undefined` for any other, also for a run of an agent with another store. */
export async function endedOutput(agent: Agent, runId: string): Promise<RunOutput | undefined> {
  if ((await agent.store.getRun(runId)) === undefined) return undefined;
  const { state } = await loadRun(agent, runId);
  return state.end === undefined ? undefined : storedOutput(state);
}
