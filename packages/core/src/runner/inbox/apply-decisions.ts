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
  questionWithId,
  type BoundDecision,
} from "../tool-call/approval-binding.ts";
import { durableJson } from "../../json/checked-json.ts";
import { toError } from "../../user-code/call-user-code.ts";
import type { ResolvedTool, Validation } from "../../contracts/resolved-tool.ts";
import type { AgentInside, Run } from "../run.ts";

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
    // An inner run gets decisions that the outer one has checked and recorded.
    if (run.depth === 0) await checkEdit(run, bound);
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
  refuse(run, decision, "ANSWER_INVALID", `The answer does not match the question's schema: ${said(checked)}.`);
}

function said({ issues }: Extract<Validation, { ok: false }>): string {
  return describeIssues(issues).replace(/\.$/, "");
}

/** @throws DecisionError */
function refuse({ runId }: Pick<Run, "runId">, { id }: Decision, code: string, why: string): never {
  throw new DecisionError(code, id, `${why} The question stays open.`, { runId });
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

/**
 * Refuses edited arguments that the tool does not accept: the question stays open. The tool of an inner run is that of
 * the agent inside. An asynchronous schema, and a tool that is found only while its run is driven, check the arguments
 * when the call continues, which asks again if they do not fit.
 *
 * @throws DecisionError `EDIT_INVALID`
 */
async function checkEdit(run: Checking, { decision, call, interruption }: BoundDecision): Promise<void> {
  if (decision.type !== "approve" || decision.args === undefined) return;
  const { child, toolName } = call;
  const tool = run.catalogue.get(toolName);
  if (tool === undefined) return;
  if (child?.interruptions.includes(interruption) === true) return checkInside(run, tool, child.runId, decision);
  const original = call.call?.args;
  const { args } = meantDecision(run.agent, decision, original);
  const json = durableJson(args);
  const problem = json.ok
    ? (unknownField(tool.__inputJsonSchema, args, original) ?? problemNow(run, tool, args))
    : `they hold ${json.problem}, which is not plain JSON`;
  // Until the run inside continues, references have no values: the arguments that its model wrote do not fit either.
  if (problem !== undefined && problemNow(run, tool, call.call?.given ?? original) === undefined)
    refuse(
      run,
      decision,
      "EDIT_INVALID",
      `The edited arguments of "${toolName}" cannot be used: ${problem}. Nothing ran.`,
    );
}

/** A run whose tools check arguments: a run that is driven, or a stored one inside. */
interface Checking extends Pick<Run, "agent" | "runId" | "loadInside">, Partial<Pick<Run, "flow">> {
  readonly catalogue: Pick<Run["catalogue"], "get">;
}

/** The same check in the run inside, by its journal and the tools of its agent. */
async function checkInside(run: Checking, { composition }: ResolvedTool, runId: string, decision: Decision) {
  const own = (composition as Partial<AgentInside> | undefined)?.agent?.();
  if (own === undefined) return;
  const { loadInside } = run;
  const { agent, state } = await loadInside(run.agent, own, runId);
  for (const call of state.calls.values()) {
    const interruption = questionWithId(call, decision.id);
    if (interruption !== undefined)
      await checkEdit({ agent, runId, loadInside, catalogue: agent.registry.known }, { decision, call, interruption });
  }
}

/** The reason why a tool does not accept arguments, if its schema says it at once. */
function problemNow(run: Checking, tool: ResolvedTool, args: unknown): string | undefined {
  try {
    const checked = tool.__validateInput(resolved(run, tool, args));
    if (checked instanceof Promise) checked.catch(() => undefined);
    else if (!checked.ok) return said(checked);
  } catch (error) {
    return toError(error).message;
  }
  return undefined;
}
