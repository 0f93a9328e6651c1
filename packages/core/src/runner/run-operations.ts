import { isEnded } from "../contracts/stop-reason.ts";
import type { Decision, Interruption } from "../contracts/interruption.ts";
import type { Owner } from "../contracts/owner.ts";
import type { Signal } from "../contracts/signal.ts";
import type { RunOutput } from "../contracts/run-output.ts";
import { checkKnownNames } from "../errors/value-checks.ts";
import { openInterruptions, storedOutput, loadRun } from "./start/load-run.ts";
import { checkDecisionList } from "./inbox/check-decision.ts";
import { forRun } from "./host/for-run.ts";
import { runIsOver, sendSignal } from "./inbox/signals.ts";
import { endCancelled, openStoredRun } from "./open-run.ts";
import { checkResumeIdentity, checkResumeOptions, type ResumeOptions } from "./resume/check-resume.ts";
import { endedWithOuter, restingOutput } from "./resume/inspect.ts";
import type { Agent, LiveRun } from "./run.ts";
import { deliverDecisions } from "./take-up-run.ts";

// This file loads with the first run of a process, or its first read of a stored run: an agent that was only created,
// or only enqueues, loads no runner.

export { driveClaimed, openNewRun } from "./open-run.ts";
export { giveBackLeftOver } from "./give-back-run.ts";
export { runInside, runInsideTool } from "./inside/run-inside.ts";
export { explainTools, preflight } from "./preflight.ts";
export { forkRun } from "./resume/fork.ts";
export { followRun, inspectRun } from "./resume/inspect.ts";
export { rebuildRequest } from "./resume/rebuild-request.ts";
export { verifyAudit } from "./resume/verify-audit.ts";

/** Continues a stored run with people's decisions. */
export async function resumeRun(
  agent: Agent,
  live: LiveRun,
  decisions: readonly Decision[],
  { formerIsGone, ...options }: ResumeOptions,
): Promise<RunOutput> {
  const { runId } = live;
  checkResumeOptions(runId, options);
  const { timeouts = agent.options.timeouts, signal } = options;
  const patient = forRun(agent, live, { timeouts }, { signal }).agent;
  await checkResumeIdentity(patient.store, runId, options);
  const own = checkDecisionList(runId, decisions);
  return openStoredRun(patient, live, own, options, { formerIsGone });
}

/** Puts decisions in the inbox of a run of the owner; returns the number of new ones. */
export async function decideRun(
  agent: Agent,
  runId: string,
  decisions: readonly Decision[],
  owner: Owner,
): Promise<number> {
  checkKnownNames(owner, ["tenantId", "userId"], "the owner of decide()");
  const own = checkDecisionList(runId, decisions);
  await checkResumeIdentity(agent.store, runId, owner);
  return deliverDecisions(agent, runId, own);
}

/**
 * Sends a message to a run that this process does not drive.
 *
 * @throws RunError `RUN_OVER` for a run that no longer reads messages.
 */
export async function messageStored(agent: Agent, runId: string, signal: Signal): Promise<void> {
  const { run, state } = await loadRun(agent, runId);
  if (run.state === "completed" && state.end?.status === "completed") throw runIsOver(runId);
  await sendSignal(agent, runId, signal);
  // If the run ended before the message arrived, it will not read the message; a run that has not ended will.
  if ((await agent.store.getRun(runId))?.state !== "completed") return;
  const { state: after } = await loadRun(agent, runId);
  if (after.end?.status === "completed" && !after.takenSignals.has(signal.id)) throw runIsOver(runId);
}

/** Cancels a run that this process does not drive; a run that has ended does not change. */
export async function cancelStored(agent: Agent, runId: string, signal: Signal): Promise<void> {
  const { run } = await loadRun(agent, runId);
  if (isEnded(run.state)) return;
  await sendSignal(agent, runId, signal);
  await endCancelled(agent, runId);
}

/** The open questions of a run of the owner. */
export async function interruptionsOf(agent: Agent, runId: string, owner: Owner): Promise<readonly Interruption[]> {
  checkKnownNames(owner, ["tenantId", "userId"], "the owner of interruptions()");
  await checkResumeIdentity(agent.store, runId, owner);
  const { run, state } = await loadRun(agent, runId);
  return endedWithOuter(run) ? [] : openInterruptions(state);
}

/**
 * Plays a run again from its records alone: no model is called, no tool runs, nothing is written. Every key is derived
 * again.
 *
 * @throws RunNotFoundError if the store does not have it.
 * @throws ReplayDivergenceError if a record does not have the key that the run derives.
 */
export async function replayRun(agent: Agent, runId: string): Promise<RunOutput | undefined> {
  const { run, state } = await loadRun(agent, runId);
  return restingOutput(run, storedOutput(state));
}
