import { askSchema } from "../hooks/hooks-runner.ts";
import type { Decision } from "../../contracts/interruption.ts";
import { DecisionError } from "../../errors/run-errors.ts";
import { freshDecisions } from "./check-decision.ts";
import { compileJsonSchema } from "../../tools/json-schema-validator.ts";
import { checkSealable, describeIssues, meantDecision, resolved, unknownField } from "../tool-call/validate.ts";
import { answerModelCall, checkModelAnswer, modelCallQuestion } from "../model/unknown-model-call.ts";
import {
  expiredDecision,
  recordDecision,
  recordDecisionInside,
  bindDecision,
  hasExpired,
  type BoundDecision,
} from "../tool-call/approval-binding.ts";
import { durableJson } from "../../json/checked-json.ts";
import { toError } from "../../user-code/call-user-code.ts";
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
  for (const bound of aboutCalls) {
    await checkAnswer(run, bound);
    checkEdit(run, bound);
    checkSealable(run.agent, run.runId, bound.decision);
  }
  return { aboutCalls, aboutModel };
}

/**
 * An answer that does not fit the question leaves it open. Rules that only the tool's own schema has are checked when
 * the tool continues.
 */
async function checkAnswer(run: Run, { decision, call, interruption }: BoundDecision): Promise<void> {
  if (decision.type !== "answer") return;
  const { answerJsonSchema, kind } = interruption;
  const isInside = call.child?.interruptions.includes(interruption) === true;
  // The client tool's schema checks the output; an inner run has its own tools, and its decisions are recorded outside.
  const isOwn = kind === "client_tool" && !isInside && run.depth === 0;
  const ofTool = isOwn ? run.catalogue.get(call.toolName)?.__validateOutput : undefined;
  const schema = answerJsonSchema && compileJsonSchema(answerJsonSchema, "The question's schema");
  const checked =
    ofTool === undefined
      ? await schema?.validate(decision.value)
      : await askSchema(run, `outputSchema of ${call.toolName}`, () => ofTool(decision.value));
  if (checked?.ok !== false) return;
  throw new DecisionError(
    "ANSWER_INVALID",
    decision.id,
    `The answer does not match the question's schema: ${describeIssues(checked.issues).replace(/\.$/, "")}. The question stays open.`,
    { runId: run.runId },
  );
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
    const decision = signal.payload as Decision;
    try {
      recordDecisions(run, await checkDecisions(run, [decision]), "signal");
    } catch (error) {
      if (!DecisionError.isInstance(error)) throw error;
      run.warn({ code: error.code, message: error.message, subject: signal.id });
      run.journal.record({ type: "signal.dropped", signalId: signal.id, code: error.code, message: error.message });
      continue;
    }
    // The record that applies a decision also takes it out of the inbox; a decision that was recorded before needs no
    // new record.
    if (run.journal.state.pendingDecisions.includes(signal)) {
      run.journal.record({
        type: "signal.dropped",
        signalId: signal.id,
        code: "DECISION_APPLIED",
        message: "The decision was recorded before.",
      });
    }
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

/**
 * Refuses edited arguments that the tool does not accept: the question stays open. An asynchronous schema, and a tool
 * of an inner run, check the arguments when the call continues, which asks again if they do not fit.
 *
 * @throws DecisionError `EDIT_INVALID`
 */
function checkEdit(run: Run, { decision, call, interruption }: BoundDecision): void {
  if (decision.type !== "approve" || decision.args === undefined) return;
  // A decision about an inner run is recorded by the outer one before the inner run, which has the tool, gets it.
  if (run.depth > 0 || call.child?.interruptions.includes(interruption) === true) return;
  const tool = run.catalogue.get(call.toolName);
  if (tool === undefined) return;
  const refuse = (why: string): never => {
    throw new DecisionError(
      "EDIT_INVALID",
      decision.id,
      `The edited arguments of "${call.toolName}" cannot be used: ${why}. Nothing ran; the question stays open.`,
      { runId: run.runId },
    );
  };
  const meant = meantDecision(run.agent, decision, call.call?.args);
  const args = meant.type === "approve" ? meant.args : decision.args;
  const json = durableJson(args);
  if (!json.ok) refuse(`they hold ${json.problem}, which is not plain JSON`);
  const unknown = unknownField(tool.__inputJsonSchema, args, call.call?.args);
  if (unknown !== undefined) refuse(unknown);
  try {
    const checked = tool.__validateInput(resolved(run, tool, args));
    if (checked instanceof Promise) checked.catch(() => undefined);
    else if (!checked.ok) refuse(describeIssues(checked.issues).replace(/\.$/, ""));
  } catch (error) {
    if (DecisionError.isInstance(error)) throw error;
    refuse(toError(error).message);
  }
}
