import { askSchema } from "../hooks/hooks-runner.ts";
import type { Decision } from "../../contracts/interruption.ts";
import { DecisionError } from "../../errors/run-errors.ts";
import { freshDecisions } from "./check-decision.ts";
import { checkValues } from "./check-values.ts";
import { meantDecision } from "../tool-call/validate.ts";
import { answerModelCall, checkModelAnswer, modelCallQuestion } from "../model/unknown-model-call.ts";
import {
  expiredDecision,
  recordDecision,
  recordDecisionInside,
  bindDecision,
  hasExpired,
  type BoundDecision,
} from "../tool-call/approval-binding.ts";
import type { Run } from "../run.ts";

export interface CheckedDecisions {
  readonly aboutCalls: readonly BoundDecision[];
  readonly aboutModel: readonly Decision[];
}

/**
 * Checks decisions without recording anything: an invalid one changes nothing, and the open questions stay open.
 * Decisions that the run has already recorded are left out.
 *
 * @param given - From `result.interruptions`, or from the run's inbox.
 * @throws DecisionError for one that is unknown, forged, for something else, or differs from the recorded one.
 */
export async function checkDecisions(run: Run, given: readonly Decision[]): Promise<CheckedDecisions> {
  const { state } = run.journal;
  const modelQuestion = modelCallQuestion(state);
  const check = { state, runId: run.runId, agent: run.agent };
  const fresh = freshDecisions(check, given);
  const aboutModel = fresh.filter(({ id }) => id === modelQuestion?.id);
  const aboutCalls = fresh
    .filter((decision) => !aboutModel.includes(decision))
    .map((decision) => bindDecision(check, decision));
  for (const decision of aboutModel) checkModelAnswer(run, decision);
  for (const bound of aboutCalls) await checkValues(run, bound, (name, check) => askSchema(run, name, check));
  return { aboutCalls, aboutModel };
}

export function recordDecisions(run: Run, checked: CheckedDecisions, via: "resume" | "signal"): void {
  for (const one of checked.aboutCalls) record(run, one, via);
  for (const decision of checked.aboutModel) answerModelCall(run, decision, via);
}

/**
 * Applies decisions that reached the run as signals. The run drops an invalid one with a warning, because its sender
 * does not wait for an answer.
 */
export async function applySignalledDecisions(run: Run): Promise<void> {
  for (const signal of run.journal.state.pendingDecisions.slice()) {
    let why = { code: "DECISION_APPLIED", message: "The decision was recorded before." };
    try {
      recordDecisions(run, await checkDecisions(run, [signal.payload as Decision]), "signal");
    } catch (error) {
      if (!DecisionError.isInstance(error)) throw error;
      why = { code: error.code, message: error.message };
      run.warn({ ...why, subject: signal.id });
    }
    // The record that applies a decision also takes it out of the inbox; a decision that was recorded before needs no
    // new record.
    if (run.journal.state.pendingDecisions.includes(signal))
      run.journal.record({ type: "signal.dropped", signalId: signal.id, ...why });
  }
}

function record(run: Run, bound: BoundDecision, via: string): void {
  const { call, interruption } = bound;
  if (call.child?.interruptions.includes(interruption) === true) {
    return recordDecisionInside(run, call, bound.decision, via);
  }
  const decision = meantDecision(run.agent, bound.decision, call.call?.args);
  if (decision.type === "answer" || decision.type === "fail") {
    run.journal.record({
      type: "input.answered",
      toolCallId: call.toolCallId,
      answerKey: interruption.answerKey ?? "",
      value: decision.type === "answer" ? decision.value : null,
      ...(interruption.kind === "client_tool" && { by: "client" }),
      ...(decision.type === "fail" && { failed: decision.reason }),
      decidedBy: decision.decidedBy,
      channel: decision.channel,
    });
    return;
  }
  const late = hasExpired(interruption, run.clock.now());
  recordDecision(run, call, interruption, late ? expiredDecision(decision.id) : decision, late ? "expired" : via);
}
