import type { Decision } from "../../contracts/interruption.ts";
import { makeInterruption, questionAbout } from "./approval-binding.ts";
import { finish, flowCallOf, scrubbed, toolOf, wait, type PipelineCall } from "./call.ts";
import { failure, type ArgumentProblem } from "./failure.ts";
import { parseArguments, parsedHash } from "./validate.ts";
import { isFirstParty } from "./approval-scope.ts";
import { flowToday, supersedes } from "./judge.ts";
import { isBound, needsApprovalToday } from "./permission.ts";
import { makeKey } from "./deduplicate.ts";
import { askLookup } from "./held-key.ts";

/**
 * What an earlier attempt means for this one: nothing (`none`); it `ended` without an effect, so that its approval
 * still counts; or this one `repeats` its effect, under the same key.
 */
export type Earlier = "none" | "ended" | "repeats";

/** True if an effect of the call may have happened without being recorded. */
export function isUncertain({ state: { intent, outcome, settledAttempt, formerReader }, tool }: PipelineCall): boolean {
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
 * The effect is repeated if its `lookup` finds that it is absent, or if today's tool would do exactly the journaled
 * effect, under the same key. In any other case a person reports the outcome, or the model gets a message.
 *
 * @returns `undefined` if the call has its outcome now, or waits.
 */
export async function settle(call: PipelineCall, problem: ArgumentProblem | undefined): Promise<Earlier | undefined> {
  const { intent, approval, call: recorded } = call.state;
  if (recorded === undefined) return "none";
  if (intent !== undefined || isUncertain(call)) call.attempt = (intent?.attempt ?? 1) + 1;
  if (!isUncertain(call) || isUnasked(call)) return approval?.interruption.kind === "approval" ? "ended" : "none";
  // A decision that an attempt has used does not apply to its outcome.
  if (approval?.interruption.kind === "unknown_outcome" && approval.used !== true) {
    if (approval.decision === undefined) wait(call, [approval.interruption]);
    else applyResolution(call, approval.decision);
    return undefined;
  }
  const { args, input, argsHash } = call;
  const difference = await differenceOf(call, problem);
  const key = intent?.idempotencyKey;
  const looked = key === undefined || problem !== undefined ? "no lookup" : await lookUp(call, key);
  if (looked === "done") return undefined;
  const repeats = looked === "no lookup" && difference === undefined;
  if (!repeats && looked !== "absent") {
    await askWhatHappened(call, typeof looked === "object" ? looked.reason : difference);
    return undefined;
  }
  // A call that is gated again begins with the arguments that the question showed.
  Object.assign(call, { args, input, argsHash });
  if (repeats) return "repeats";
  return difference === undefined ? "ended" : "none";
}

/** Differences of today's tool; the arguments are now those of the attempt. */
async function differenceOf(call: PipelineCall, given: ArgumentProblem | undefined): Promise<string | undefined> {
  const { approval } = call.state;
  const approved = approval?.decision?.type === "approve" ? approval.decision : undefined;
  const isCovered = approval === undefined || approved === undefined || (await isBound(call, approval.interruption));
  const problem =
    given ??
    (approved?.args === undefined
      ? undefined
      : await parseArguments(call, approved.args, "The arguments as edited by the approver"));
  if (problem !== undefined) return "its arguments do not fit the tool any more";
  return isCovered ? differenceToday(call) : "it was approved for another definition of the tool";
}

async function lookUp(
  call: PipelineCall,
  key: string,
): Promise<"done" | "absent" | "unknown" | "no lookup" | { readonly reason: string }> {
  if (toolOf(call).lookup === undefined) return "no lookup";
  call.idempotencyKey = key;
  const answer = await askLookup(call, key);
  if (answer?.status === "failed") return { reason: answer.reason };
  if (answer?.status !== "done") return answer?.status ?? "unknown";
  call.attempt -= 1;
  finish(call, { output: scrubbed(call, answer.output), durationMs: 0 });
  return "done";
}

/** Asks a person whether the effect happened, or gives the model the unknown outcome. */
export async function askWhatHappened(call: PipelineCall, difference: string | undefined): Promise<void> {
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
 * Compares the effect of an attempt without an outcome with the effect of today's tool for the same call.
 *
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
  if (!isApproved && recorded?.needsApproval !== true && (await needsApprovalToday(call)).needed)
    return "the tool needs an approval now that it did not need then";
  const flow = await flowToday(call);
  if (flow === "failed") return "the flow policy cannot decide it";
  if (flow !== undefined && flow.verdict !== "allow" && flow.shadow !== true && supersedes(flow, call.flow))
    return `the flow policy asks now: ${flow.explanation}`;
  return undefined;
}
