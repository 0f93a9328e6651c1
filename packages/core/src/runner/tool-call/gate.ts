import type { ToolCall } from "../../contracts/tool-call.ts";
import type { CallKey } from "../../journal/run-state.ts";
import { approve } from "./approve.ts";
import { authorize, authorizeAgain } from "./authorize.ts";
import { hasLeftGate } from "./call.ts";
import type { Batch, PipelineCall } from "./call.ts";
import { gateMade, gateResumed } from "./ask-gates.ts";
import { gateClientTool, takeClientAnswer } from "./client-call.ts";
import { deduplicate } from "./deduplicate.ts";
import { runStages } from "./maybe-promise.ts";
import type { MaybePromise } from "./maybe-promise.ts";
import { isAsleep } from "./asleep.ts";
import { parse } from "./parse.ts";
import { resolve } from "./resolve.ts";
import { findTool, restore, settleUncertain } from "./restore.ts";
import { validate } from "./validate.ts";

/** The stages of a call that is gated for the first time. */
const gateStages = [resolve, parse, validate, gateMade, authorize, approve, deduplicate, gateClientTool] as const;

/** The stages of a call that the journal has already: the stricter of what it says and of today's code decides. */
const resumeStages = [
  restore,
  settleUncertain,
  authorizeAgain,
  gateResumed,
  approve,
  deduplicate,
  gateClientTool,
] as const;

/** Begins to drive a call of the current turn. */
export function beginCall(batch: Batch, key: CallKey, made: ToolCall | undefined): PipelineCall {
  const { run } = batch;
  const state = run.journal.state.calls.get(key);
  if (state === undefined) throw new TypeError(`Call ${key} of run ${run.runId} is not in its journal.`);
  return {
    batch,
    run,
    key,
    state,
    turn: state.turn,
    index: state.index,
    toolCallId: state.toolCallId,
    toolName: state.toolName,
    rawArguments: (state.exact ?? made)?.arguments ?? "",
    givenInput: (state.exact ?? made)?.input,
    phase: "gating",
    tool: undefined,
    args: undefined,
    input: undefined,
    validated: false,
    argsHash: "",
    context: undefined,
    flow: undefined,
    needsApproval: undefined,
    askedBecause: undefined,
    mustAsk: undefined,
    attempt: 1,
    idempotencyKey: undefined,
    reserved: undefined,
    cacheKey: undefined,
    waitsFor: undefined,
    approvalId: undefined,
    covered: false,
    childOutput: undefined,
    recalled: undefined,
    problem: undefined,
    interruptions: [],
    started: false,
  };
}

/**
 * Takes a call through its gate: afterwards it is ready to run, waits for a person, or has its outcome.
 *
 * @throws ToolMissingError when a call that passed its gate before needs a tool that is gone.
 */
export function gate(call: PipelineCall): MaybePromise<void> {
  const state = call.state;
  if (state.outcome !== undefined) return regain(call);
  if (call.batch.stopped !== undefined && state.intent === undefined) return undefined;
  if (state.question !== undefined) {
    call.phase = "waiting";
    call.interruptions = [state.question];
    findTool(call);
    return undefined;
  }
  if (state.clientAnswer !== undefined) return takeClientAnswer(call, state.clientAnswer);
  if (isAsleep(call)) {
    call.phase = "waiting";
    call.interruptions = [...(state.child?.interruptions ?? [])];
    findTool(call);
    return undefined;
  }
  if (state.child !== undefined && state.child.decisions.length === 0 && state.child.woken !== true) {
    call.phase = "waiting";
    call.interruptions = [...state.child.interruptions];
    findTool(call);
    return undefined;
  }
  const stages = state.call === undefined ? gateStages : resumeStages;
  const pending = runStages(stages, call, hasLeftGate);
  return pending instanceof Promise ? pending.then(() => passGate(call)) : passGate(call);
}

/** A call that no stage has stopped may run. */
function passGate(call: PipelineCall): void {
  if (call.phase === "gating") call.phase = "ready";
}

/** Makes what presentation needs of a call that has its outcome already. */
function regain(call: PipelineCall): MaybePromise<void> {
  const { call: recorded, outcome } = call.state;
  call.phase = "finished";
  if (outcome === undefined || (outcome.failure !== undefined && outcome.failure.fromTool !== true)) {
    call.tool = call.run.catalogue.get(call.toolName);
    return undefined;
  }
  findTool(call);
  if (recorded === undefined) return undefined;
  return restoreFinished(call);
}

async function restoreFinished(call: PipelineCall): Promise<void> {
  await restore(call);
}
