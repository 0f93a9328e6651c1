import type { Decision, InterruptionData } from "../../contracts/interruption.ts";
import { DecisionError } from "../../errors/run-errors.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import { checkDecisionForm } from "./check-decision.ts";
import type { DrivenRun } from "../driven-run.ts";
import { compileJsonSchema } from "../../tools/json-schema-validator.ts";
import { describeIssues } from "../tool-call/validate.ts";
import { answerModelCall, checkModelAnswer, modelCallQuestion } from "../model/unknown-model-call.ts";
import { bindDecision, hasExpired, type BoundDecision } from "../tool-call/approval-binding.ts";
import { checkSealable, meantDecision } from "../tool-call/secret-arguments.ts";

/** Decisions that were checked and can be recorded. */
export interface CheckedDecisions {
  readonly aboutCalls: readonly BoundDecision[];
  readonly aboutModel: readonly Decision[];
}

/**
 * Checks decisions without recording anything: one that cannot be applied changes nothing, and the open questions stay
 * open.
 *
 * @param decisions - From `result.interruptions`, or from the run's inbox.
 * @throws DecisionError for one that is unknown, used, forged or for something else.
 */
export function checkDecisions(run: DrivenRun, decisions: readonly Decision[]): CheckedDecisions {
  const { state } = run.journal;
  for (const decision of decisions) checkDecisionForm(run.runId, decision);
  const modelQuestion = modelCallQuestion(state);
  const aboutModel = decisions.filter(({ id }) => id === modelQuestion?.id);
  const check = { state, runId: run.runId, now: run.clock.now(), signer: run.definition.signer };
  const seen = new Set<string>();
  for (const { id } of decisions) {
    if (seen.has(id)) {
      throw new DecisionError("DECISION_USED", id, `"${id}" is decided twice in one call. Nothing changed.`, {
        runId: run.runId,
      });
    }
    seen.add(id);
  }
  const aboutCalls = decisions
    .filter((decision) => !aboutModel.includes(decision))
    .map((decision) => bindDecision(check, decision));
  for (const decision of aboutModel) checkModelAnswer(run, decision);
  for (const bound of aboutCalls) {
    checkAnswer(run, bound);
    checkSealable(run.definition, run.runId, bound.decision);
  }
  return { aboutCalls, aboutModel };
}

/** An answer that does not fit the question leaves it open. What only the tool's own schema knows is checked when the tool goes on. */
function checkAnswer(run: DrivenRun, { decision, interruption: { inputJsonSchema } }: BoundDecision): void {
  if (decision.type !== "answer" || inputJsonSchema === undefined) return;
  const checked = compileJsonSchema(inputJsonSchema, "The question's schema").validate(decision.value);
  if (checked instanceof Promise || checked.ok) return;
  throw new DecisionError(
    "ANSWER_INVALID",
    decision.id,
    `The answer does not match the question's schema: ${describeIssues(checked.issues).replace(/\.$/, "")}. The question stays open.`,
    { runId: run.runId },
  );
}

/**
 * Records decisions that were checked.
 *
 * @returns whether the model may be asked again although an earlier request is unanswered.
 */
export function recordDecisions(run: DrivenRun, checked: CheckedDecisions, via: "resume" | "signal"): boolean {
  for (const one of checked.aboutCalls) record(run, one, via);
  for (const decision of checked.aboutModel) answerModelCall(run, decision);
  return checked.aboutModel.some(({ type }) => type === "it_did_not_happen");
}

/**
 * Applies decisions that reached the run as signals. One that does not fit is dropped with a warning: nobody waits for
 * an answer.
 *
 * @returns as `recordDecisions`.
 */
export function applySignalledDecisions(run: DrivenRun): boolean {
  let askAgain = false;
  for (const signal of run.journal.state.pendingDecisions.slice()) {
    const decision = signal.payload as Decision;
    try {
      if (recordDecisions(run, checkDecisions(run, [decision]), "signal")) askAgain = true;
    } catch (error) {
      if (!DecisionError.isInstance(error)) throw error;
      run.warn({ code: error.code, message: error.message, subject: signal.id });
      run.journal.record({ type: "signal.dropped", signalId: signal.id, code: error.code, message: error.message });
      continue;
    }
    // Most records that apply a decision take it out of the inbox; that a model may be asked again has none of its own.
    if (run.journal.state.pendingDecisions.includes(signal)) {
      run.journal.record({
        type: "signal.dropped",
        signalId: signal.id,
        code: "DECISION_APPLIED",
        message: "The decision was applied.",
      });
    }
  }
  return askAgain;
}

function record(run: DrivenRun, bound: BoundDecision, via: string): void {
  const { call, interruption } = bound;
  if (call.child?.interruptions.includes(interruption) === true) {
    const { turn, index, toolCallId } = call;
    run.journal.record({ type: "child.decided", turn, index, toolCallId, decision: bound.decision, via });
    return;
  }
  const decision = meantDecision(run.definition, bound.decision, call.call?.args);
  if (decision.type === "answer") {
    run.journal.record({
      type: "input.answered",
      toolCallId: call.toolCallId,
      inputKey: interruption.inputKey ?? "",
      value: decision.value,
      ...(decision.decidedBy === undefined ? {} : { decidedBy: decision.decidedBy }),
    });
    return;
  }
  const late = hasExpired(interruption, run.clock.now());
  run.journal.record({
    type: "tool.approval.decided",
    turn: call.turn,
    index: call.index,
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    decision: late ? { id: decision.id, type: "reject", reason: "The approval was not given in time." } : decision,
    via: late ? "expired" : via,
    argsHash: argsHashOf(run, decision, interruption),
    definitionHash: interruption.definitionHash,
  });
}

function argsHashOf(run: DrivenRun, decision: Decision, interruption: InterruptionData): string {
  if (decision.type !== "approve" || decision.args === undefined) return interruption.argsHash;
  return run.definition.hasher.sha256(canonicalJson(decision.args));
}
