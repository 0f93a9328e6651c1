import type { Decision } from "../../contracts/interruption.ts";
import type { FlowDecision } from "../../contracts/ports/security.ts";
import { ToolMissingError } from "../../errors/run-errors.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { askUserCode, askUserCodeNow } from "../../user-code/call-user-code.ts";
import { reportFailure } from "../hooks/hook-failures.ts";
import { expected } from "../hooks/hooks-runner.ts";
import { effectiveTimeoutMs } from "./tool-timeout.ts";
import type { LookupResult } from "../../contracts/tool.ts";
import { authorize } from "./authorize.ts";
import { makeInterruption } from "./approval-binding.ts";
import { fail, finish, toolOf } from "./call.ts";
import type { PipelineCall } from "./call.ts";
import { failure } from "./failure.ts";
import type { MaybePromise } from "./maybe-promise.ts";
import { toolContext } from "./tool-context.ts";
import { hashArguments, validateArguments } from "./validate.ts";

/** Finds the tool of a call that passed its gate before. One that is gone can come back: the run stays resumable. */
export function findTool(call: PipelineCall): void {
  const tool = call.run.catalogue.get(call.toolName);
  if (tool === undefined) throw new ToolMissingError(call.toolName, call.run.runId);
  call.tool = tool;
}

/** Makes a call again from the journal, up to where it was gated. */
export async function restore(call: PipelineCall): Promise<void> {
  findTool(call);
  const state = call.state;
  const recorded = state.call;
  if (recorded === undefined) return;
  call.needsApproval = recorded.needsApproval;
  const { args, argsHash } = recorded;
  if (hashArguments(call, args) !== argsHash) {
    fail(
      call,
      "invalid_input",
      `The arguments of "${call.toolName}" could not be restored: they held a secret, which is not kept. Nothing ran; call the tool again.`,
      {
        code: "ARGUMENTS_NOT_KEPT",
      },
    );
    return;
  }
  await validateArguments(call, args, "The arguments");
  if (call.phase === "gating") restoreFlow(call);
}

function restoreFlow(call: PipelineCall): void {
  const { flow } = call.state;
  if (flow === undefined) return;
  const decision: FlowDecision = {
    verdict: flow.verdict,
    rule: flow.rule,
    explanation: flow.explanation,
    origins: [],
    ...(flow.shadow !== undefined && { shadow: flow.shadow }),
    ...(flow.grant !== undefined && { grant: flow.grant }),
    ...(flow.input !== undefined && { input: flow.input }),
  };
  call.flow = decision;
  if (flow.input !== undefined) call.input = flow.input;
}

/** Whether an effect of the call may have happened without being recorded. */
function isUncertain(call: PipelineCall): boolean {
  const { intent, outcome, settledAttempt } = call.state;
  return intent !== undefined && outcome === undefined && intent.attempt > (settledAttempt ?? 0);
}

/**
 * Decides about an intent without an outcome: readers and keyed writers run again, a writer with `lookup` is asked, and
 * any other writer is not run.
 */
export function settleUncertain(call: PipelineCall): MaybePromise<void> {
  const state = call.state;
  if (state.intent !== undefined) call.attempt = state.intent.attempt + 1;
  const tool = toolOf(call);
  const { approval } = state;
  if (!isUncertain(call)) {
    // After a question the execution goes on from its top; after "it did not happen" the call is gated anew.
    call.covered = approval?.interruption.kind === "approval";
    return approval?.interruption.kind === "unknown_outcome" ? authorize(call) : undefined;
  }
  // A decision that an attempt has used says nothing about that attempt.
  if (approval?.interruption.kind === "unknown_outcome" && approval.used !== true) {
    if (approval.decision !== undefined) return applyResolution(call, approval.decision);
    call.phase = "waiting";
    call.interruptions = [approval.interruption];
    return undefined;
  }
  if (!tool.__isWriter) return undefined;
  if (tool.lookup !== undefined) return askLookup(call);
  if (tool.idempotencyKey !== undefined) {
    // The approval covered this effect, and the same key makes the next attempt the same effect.
    call.covered = true;
    return undefined;
  }
  return askWhatHappened(call);
}

async function askLookup(call: PipelineCall): Promise<void> {
  const { lookup } = toolOf(call);
  const key = call.state.intent?.idempotencyKey;
  call.idempotencyKey = key;
  if (lookup === undefined || key === undefined) return askWhatHappened(call);
  const { run } = call;
  const asked = await askUserCode(() => lookup(key, ownCopy(call.input), toolContext(call)), {
    name: "lookup",
    timeoutMs: effectiveTimeoutMs(call),
    clock: run.clock,
    onStop: run.onStop,
    runId: run.runId,
  });
  const read = asked.ok ? askUserCodeNow("lookup", () => readLookup(asked.value)) : asked;
  if (read.ok) {
    const answer = read.value;
    if (answer.status === "done") {
      call.attempt -= 1;
      finish(call, { output: call.run.definition.secrets?.scrub(answer.output) ?? answer.output, durationMs: 0 });
      return undefined;
    }
    if (answer.status === "absent") {
      call.covered = true;
      return undefined;
    }
  } else if (!read.stopped)
    reportFailure(run, `lookup of ${call.toolName}`, read.error, "It stays unknown whether the call took effect.");
  return askWhatHappened(call);
}

function readLookup(answer: LookupResult): LookupResult {
  const copied = ownCopy(answer);
  const known = ["done", "absent", "unknown"].includes((copied as Partial<LookupResult> | undefined)?.status ?? "");
  return expected("lookup", '{ status: "done", output }, { status: "absent" } or { status: "unknown" }', known, copied);
}

/** Nobody knows whether the effect happened: a person is asked, or the model is told. */
function askWhatHappened(call: PipelineCall): void {
  const { run } = call;
  if (run.settings.onUnknownOutcome === "tell_model" || call.batch.stopped !== undefined) {
    call.attempt -= 1;
    finish(call, { failure: unknownOutcome(call, "The process stopped while it ran."), durationMs: 0 });
    return;
  }
  const data = makeInterruption(call, {
    kind: "unknown_outcome",
    reason: `"${call.toolName}" was started, and the process stopped before its result was recorded. Did it take effect?`,
    args: call.args,
  });
  run.journal.record({ type: "tool.approval.requested", turn: call.turn, index: call.index, interruption: data });
  call.phase = "waiting";
  call.interruptions = [data];
}

function applyResolution(call: PipelineCall, decision: Decision): void {
  call.attempt -= 1;
  if (decision.type === "it_happened") {
    const output = call.run.definition.secrets?.scrub(decision.output) ?? decision.output;
    finish(call, { ...(output !== undefined && { output }), durationMs: 0 });
    return;
  }
  const reason =
    decision.type === "give_up" && decision.reason !== undefined ? decision.reason : "Nobody could find out.";
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
