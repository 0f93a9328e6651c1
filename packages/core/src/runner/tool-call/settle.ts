import { isBound } from "./binding.ts";
import { finish, isUncertain, lastAttemptOf, scrubbed, toolOf, wait, type PipelineCall } from "./call.ts";
import type { ArgumentProblem } from "./failure.ts";
import { parseArguments, parsedHash } from "./validate.ts";
import { isFirstParty } from "./approval-scope.ts";
import { flowToday, supersedes } from "./flow-verdict.ts";
import { needsApprovalToday } from "./needs-approval.ts";
import { makeKey } from "./deduplicate.ts";
import { askLookup } from "./held-key.ts";
import { recordedValue } from "./read-call.ts";
import { applyResolution, askWhatHappened } from "./unknown-outcome.ts";

/**
 * The consequence of an earlier attempt for this one: nothing (`none`); it `ended` without an effect, so that its approval
 * still counts; or this one `repeats` its effect, under the same key.
 */
export type Earlier = "none" | "ended" | "repeats";

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
 * @param problem - Why today's tool does not accept the recorded arguments.
 * @returns `undefined` if the call has its outcome now, or waits.
 */
export async function settle(call: PipelineCall, problem: ArgumentProblem | undefined): Promise<Earlier | undefined> {
  const { approval, call: recorded } = call.state;
  if (recorded === undefined) return "none";
  if (!isUncertain(call) || isUnasked(call)) return approval?.interruption.kind === "approval" ? "ended" : "none";
  // A decision that an attempt has used does not apply to its outcome.
  if (approval?.interruption.kind === "unknown_outcome" && approval.used !== true) {
    if (approval.decision === undefined) wait(call, [approval.interruption]);
    else applyResolution(call, approval.decision);
    return undefined;
  }
  return settleByTool(call, problem);
}

async function settleByTool(call: PipelineCall, problem: ArgumentProblem | undefined): Promise<Earlier | undefined> {
  const { intent, approval, call: recorded } = call.state;
  const { value } = call;
  const edit = approval?.decision?.type === "approve" ? approval.decision.args : undefined;
  const difference = await differenceOf(call, problem, edit);
  const key = intent?.idempotencyKey;
  const looked = key === undefined || problem !== undefined ? "no lookup" : await lookUp(call, key);
  if (looked === "done") return undefined;
  const repeats = looked === "no lookup" && difference === undefined;
  if (!repeats && looked !== "absent") {
    // The question shows the value of the attempt.
    if (edit === undefined && recorded !== undefined) call.value = recordedValue(recorded);
    await askWhatHappened(call, typeof looked === "object" ? looked.reason : difference);
    return undefined;
  }
  // A call that is judged again begins with the value that its question showed.
  call.value = value;
  if (repeats) return "repeats";
  return difference === undefined ? "ended" : "none";
}

/** Differences of today's tool; the value is now that of the attempt. */
async function differenceOf(
  call: PipelineCall,
  given: ArgumentProblem | undefined,
  edit: unknown,
): Promise<string | undefined> {
  const { approval } = call.state;
  const isApproved = approval?.decision?.type === "approve";
  const isCovered = approval === undefined || !isApproved || isBound(call, approval.interruption);
  const problem =
    given ??
    (edit === undefined ? undefined : await parseArguments(call, edit, "The arguments as edited by the approver"));
  if (problem !== undefined) return "its arguments do not fit the tool any more";
  return isCovered ? differenceToday(call) : "it was approved for another definition of the tool";
}

async function lookUp(
  call: PipelineCall,
  key: string,
): Promise<"done" | "absent" | "unknown" | "no lookup" | { readonly reason: string }> {
  if (toolOf(call).lookup === undefined) return "no lookup";
  const answer = await askLookup(call, key);
  if (answer?.status === "failed") return { reason: answer.reason };
  if (answer?.status !== "done") return answer?.status ?? "unknown";
  finish(call, { output: scrubbed(call, answer.output), durationMs: 0 }, { attempt: lastAttemptOf(call) });
  return "done";
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
  return flowDifference(call);
}

/** The stricter verdict of today's flow policy. */
async function flowDifference(call: PipelineCall): Promise<string | undefined> {
  const flow = await flowToday(call);
  if (flow === "failed") return "the flow policy cannot decide it";
  if (flow !== undefined && flow.verdict !== "allow" && flow.shadow !== true && supersedes(flow, call.flow))
    return `the flow policy asks now: ${flow.explanation}`;
  return undefined;
}
