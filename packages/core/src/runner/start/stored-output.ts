import { isWaiting } from "../../contracts/stop-reason.ts";
import { stopTable } from "../stop-reason.ts";
import type { Interruption } from "../../contracts/interruption.ts";
import type { Release } from "../../contracts/ports/run-store.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import { answerText } from "../../history/answer-text.ts";
import type { RunState } from "../../journal/run-state.ts";
import { runOutput } from "../answer/run-output.ts";
import { releaseCompleted } from "../inbox/steering.ts";
import { interruption } from "../interruption.ts";
import { openQuestions } from "../tool-call/approval-binding.ts";
import { loadState } from "./load-run.ts";
import type { Agent } from "../run.ts";
import { modelCallQuestion } from "../model/unknown-model-call.ts";

/** Open interruptions of a run, from its journal. */
export function openInterruptions(state: RunState): readonly Interruption[] {
  const questions = [...state.calls.values()].flatMap((call) => [...openQuestions(call)]);
  const aboutModel = modelCallQuestion(state);
  return (aboutModel === undefined ? questions : [...questions, aboutModel]).map((data) => interruption(data));
}

/**
 * State in which the store keeps a run that no process drives, by its journal: suspended until a person decides;
 * sleeping until a time or a signal; ended, unless a message arrived that it has not read; any other run is queued.
 */
export function releaseOf(state: RunState): Release {
  const { suspended, end, pendingDecisions, cancelRequested } = state;
  // The message arrived after the run last read its inbox: no other process will deliver it.
  const unread = pendingDecisions.length > 0 || cancelRequested !== undefined;
  if (suspended !== undefined && unread) return { state: "queued" };
  if (suspended?.wakeAt !== undefined) return { state: "sleeping", wakeAt: suspended.wakeAt };
  if (suspended !== undefined) return { state: "suspended", waitingOn: suspended.interruptionIds };
  if (end === undefined || isWaiting(end.status)) return { state: "queued" };
  if (end.status === "completed") return releaseCompleted(state);
  return { state: end.status };
}

/** Makes the output of a run that ended or pauses, from its journal alone. */
export function storedOutput(state: RunState): RunOutput {
  const { end } = state;
  const reason = end?.stopReason ?? state.suspended?.reason ?? "failed";
  return runOutput(state, {
    status: end?.status ?? stopTable[reason].status,
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
  const state = await loadState(agent, runId);
  return state.end === undefined ? undefined : storedOutput(state);
}
