import type { Decision } from "../../contracts/interruption.ts";
import type { JournalEventOf } from "../../contracts/journal-event.ts";
import { ToolMissingError } from "../../errors/run-errors.ts";
import { makeInterruption, questionAbout } from "./approval-binding.ts";
import { isBound, needsApprovalToday } from "./approve.ts";
import { askGates, flowToday, supersedes } from "./authorize.ts";
import { fail, finish, flowCallOf, scrubbed, toolOf, wait, type MaybePromise, type PipelineCall } from "./call.ts";
import { failure, type ArgumentProblem } from "./failure.ts";
import { hashArguments, parseArguments, parsedHash } from "./validate.ts";
import { isFirstParty } from "./approval-scope.ts";
import { makeKey } from "./deduplicate.ts";
import { askLookup } from "./held-key.ts";

/** Finds the tool of a call that passed its gate before. A missing tool can return, so the run stays resumable. */
export function findTool(call: PipelineCall): void {
  const tool = call.run.catalogue.get(call.toolName);
  if (tool === undefined) throw new ToolMissingError(call.toolName, call.run.runId);
  call.tool = tool;
}

/** Restores a call from the journal, up to its gate. */
export async function restore(call: PipelineCall): Promise<void> {
  findTool(call);
  const recorded = call.state.call;
  if (recorded === undefined) return;
  // A gate that was added since then is checked: the journal can only add a question.
  call.needsApproval = recorded.needsApproval === true ? true : undefined;
  call.problem = await restoreArguments(call, recorded);
  // An uncertain effect is resolved before its arguments are checked.
  if (call.problem !== undefined && !isUncertain(call))
    return fail(call, "invalid_input", call.problem.message, call.problem.details);
  const { flow } = call.state;
  if (call.phase !== "gating" || flow === undefined) return;
  call.flow = flow;
  if (flow.input !== undefined) call.input = flow.input;
}

async function restoreArguments(
  call: PipelineCall,
  { args, argsHash }: JournalEventOf<"tool.call">,
): Promise<ArgumentProblem | undefined> {
  call.args = args;
  call.input = args;
  call.argsHash = argsHash;
  if (hashArguments(call, args) !== argsHash) {
    return {
      message: `The arguments of "${call.toolName}" could not be restored: they held a secret, which is not kept. Nothing ran; call the tool again.`,
      details: { code: "ARGUMENTS_NOT_KEPT" },
    };
  }
  return parseArguments(call, args, "The arguments");
}

/** True if an effect of the call may have happened without being recorded. */
function isUncertain({ state: { intent, outcome, settledAttempt, formerReader }, tool }: PipelineCall): boolean {
  if (outcome !== undefined) return false;
  if (intent === undefined) return formerReader === true && tool?.__isWriter === true;
  return intent.attempt > (settledAttempt ?? 0);
}

/** The client never saw the call: its question would be in the journal. */
function isUnasked(call: PipelineCall): boolean {
  const tool = toolOf(call);
  return tool.runsOn === "client" && call.state.call?.definitionHash === tool.__definitionHash;
}

/**
 * Decides about an effect without an outcome: a writer's intent, or a call that ran as a reader and would write now.
 * Only writers leave intents, so today's tool counts as one, whatever its class: the effect is repeated if its `lookup`
 * finds that it is absent, or if today's tool would do exactly the journaled effect, under the same key. In any other
 * case a person reports the outcome, or the model gets a message.
 */
export function settleUncertain(call: PipelineCall): MaybePromise<void> {
  const state = call.state;
  if (state.intent !== undefined || isUncertain(call)) call.attempt = (state.intent?.attempt ?? 1) + 1;
  const { approval } = state;
  if (!isUncertain(call) || isUnasked(call)) {
    // After a question, execution restarts from its beginning; after "it did not happen", the call is gated again.
    call.covered = approval?.interruption.kind === "approval";
    return undefined;
  }
  // A decision that an attempt has used does not apply to its outcome.
  if (approval?.interruption.kind === "unknown_outcome" && approval.used !== true) {
    if (approval.decision !== undefined) return applyResolution(call, approval.decision);
    wait(call, [approval.interruption]);
    return undefined;
  }
  return settleByTool(call);
}

async function settleByTool(call: PipelineCall): Promise<void> {
  const { args, input, argsHash } = call;
  const difference = await differenceOf(call);
  const { lookup } = toolOf(call);
  const key = call.state.intent?.idempotencyKey;
  if (key !== undefined && lookup !== undefined && call.problem === undefined) await lookUp(call, key, difference);
  else if (difference !== undefined) await askWhatHappened(call, difference);
  // The approval covered this effect, and the same key makes the next attempt the same effect.
  else {
    call.covered = true;
    // A gate of today that refuses the repetition cannot undo the effect.
    call.whenRefused = (reason) => askWhatHappened(call, `it would be refused now (${reason})`);
  }
  // A call that is gated again begins with the arguments that the question showed.
  if (call.phase === "gating") Object.assign(call, { args, input, argsHash });
}

/** Differences of today's tool; the arguments are now those of the attempt. */
async function differenceOf(call: PipelineCall): Promise<string | undefined> {
  const { approval } = call.state;
  const approved = approval?.decision?.type === "approve" ? approval.decision : undefined;
  const isCovered = approval === undefined || approved === undefined || (await isBound(call, approval.interruption));
  if (call.problem === undefined && approved?.args !== undefined)
    call.problem = await parseArguments(call, approved.args, "The arguments as edited by the approver");
  if (call.problem !== undefined) return "its arguments do not fit the tool any more";
  return isCovered ? differenceToday(call) : "it was approved for another definition of the tool";
}

async function lookUp(call: PipelineCall, key: string, difference: string | undefined): Promise<void> {
  call.idempotencyKey = key;
  const answer = await askLookup(call, key);
  if (answer?.status === "done") {
    call.attempt -= 1;
    return finish(call, { output: scrubbed(call, answer.output), durationMs: 0 });
  }
  if (answer?.status === "absent") {
    // An approval covers one effect; any other effect is gated again.
    call.covered = difference === undefined;
    return;
  }
  return askWhatHappened(call, answer?.status === "failed" ? answer.reason : difference);
}

/** Asks a person whether the effect happened, or gives the model the unknown outcome. */
async function askWhatHappened(call: PipelineCall, difference: string | undefined): Promise<void> {
  const { run } = call;
  if (run.settings.onUnknownOutcome === "tell-model" || call.batch.stopped !== undefined) {
    call.attempt -= 1;
    return finish(call, { failure: unknownOutcome(call, "The process stopped while it ran."), durationMs: 0 });
  }
  const values = (await run.flow?.questionFor(flowCallOf(call)))?.values;
  const question = await questionAbout(call, { kind: "unknown_outcome", values, difference });
  const data = makeInterruption(call, { kind: "unknown_outcome", question, args: call.args });
  run.journal.record({ type: "tool.approval.requested", turn: call.turn, index: call.index, interruption: data });
  wait(call, [data]);
}

function applyResolution(call: PipelineCall, decision: Decision): void {
  call.attempt -= 1;
  if (decision.type === "it_happened") {
    return finish(call, { output: scrubbed(call, decision.output), durationMs: 0 });
  }
  const reason =
    decision.type === "give_up" && decision.reason !== undefined ? decision.reason : "It could not be found out.";
  finish(call, { failure: unknownOutcome(call, reason), durationMs: 0 });
}

/** The failure of a writer whose effect may have happened. */
export function unknownOutcome(call: PipelineCall, reason: string): ReturnType<typeof failure> {
  return failure(
    "unknown_outcome",
    `It is not known whether "${call.toolName}" took effect. ${reason} Do not call it again before you know: look it up, or tell the user.`,
    { effectHappened: "unknown" },
  );
}

/**
 * Asks today's parts about a call that a resumed run continues with. A question that a part adds to an effect that may
 * have happened is about that effect.
 */
export async function gateResumed(call: PipelineCall): Promise<void> {
  await askGates(call, "resumed");
  const { phase, mustAsk, needsApproval, state } = call;
  if (phase === "gating" && mustAsk !== undefined && needsApproval !== true && state.approval === undefined)
    await call.whenRefused?.(mustAsk);
}

/**
 * Compares the effect of an attempt without an outcome with the effect of today's tool for the same call.
 *
 * @param call - Its arguments are the journaled ones, parsed by today's tool.
 * @returns `undefined` if another attempt is the same effect, under the same key and behind the same gate; otherwise
 *   the differences, for the person who is asked about the outcome.
 */
async function differenceToday(call: PipelineCall): Promise<string | undefined> {
  const { intent, call: recorded, approval } = call.state;
  const tool = toolOf(call);
  if (intent === undefined) return "the tool was a reader then";
  if (intent.idempotencyKey === undefined) return "it was sent without an idempotency key";
  if (tool.idempotencyKey === undefined) return "the tool has no idempotency key any more";
  if (intent.inputHash === undefined || parsedHash(call) !== intent.inputHash)
    return "the tool reads its arguments differently now";
  if (!isFirstParty(tool) && tool.__definitionHash !== recorded?.definitionHash)
    return "the definition of the tool has changed";
  if ((await makeKey(call)) !== intent.idempotencyKey) return "the tool gives it another idempotency key now";
  const isApproved = approval?.decision?.type === "approve";
  if (!isApproved && call.needsApproval !== true && (await needsApprovalToday(call)))
    return "the tool needs an approval now that it did not need then";
  const flow = await flowToday(call);
  if (flow === "failed") return "the flow policy cannot decide it";
  if (flow !== undefined && flow.verdict !== "allow" && flow.shadow !== true && supersedes(flow, call.flow))
    return `the flow policy asks now: ${flow.explanation}`;
  return undefined;
}
