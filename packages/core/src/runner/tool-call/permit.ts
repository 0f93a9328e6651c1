import type { InterruptionData } from "../../contracts/interruption.ts";
import { attemptOf, isSettled, recordCall, wait, type Permit, type PipelineCall } from "./call.ts";
import { gateClientTool, takeClientAnswer } from "./client-call.ts";
import { keyFor } from "./deduplicate.ts";
import { judge } from "./judge.ts";
import { permission } from "./permission.ts";
import { previewOf } from "./preview.ts";
import { find, read } from "./read-call.ts";
import { settle } from "./settle.ts";
import { nextRound } from "./value-rounds.ts";

/**
 * Takes a call from its arguments to the permission to run. Each process enters it again: what the journal has is read,
 * what it lacks is decided and journaled, and of a verdict of then and one of today the stricter holds.
 *
 * @returns what the call needs to run; `undefined` if it has its outcome, waits, or may not start any more.
 * @throws ToolMissingError if a call that is in the journal needs a tool that is gone.
 */
export async function permit(call: PipelineCall): Promise<Permit | undefined> {
  const { state, batch } = call;
  if (state.outcome !== undefined) return regain(call);
  if (batch.stopped !== undefined && state.intent === undefined) return undefined;
  const open = openWait(call);
  if (open !== undefined) {
    wait(call, open);
    find(call);
    return undefined;
  }
  if (state.clientAnswer !== undefined) return takeClientAnswer(call, state.clientAnswer);

  if (!find(call)) return undefined;
  const problem = await read(call);
  if (isSettled(call)) return undefined;
  // An effect that may have happened is settled before anything can refuse the call, so that no refusal hides it.
  const earlier = await settle(call, problem);
  if (earlier === undefined) return undefined;

  const isChanged = earlier !== "repeats" && replaceRecorded(call);
  if (isSettled(call)) return undefined;
  const verdict = await judge(call, earlier, isChanged);
  if (verdict === undefined) return undefined;
  recordCall(call, verdict.needsApproval);
  const preview = await previewOf(call, earlier);
  if (preview === undefined) return undefined;
  const yes = await permission(call, { ...verdict, preview }, earlier);
  if (yes === undefined) return undefined;
  const key = await keyFor(call);
  if (key === undefined) return undefined;
  gateClientTool(call);
  return isSettled(call) ? undefined : { ...key, ...yes, attempt: attemptOf(call) };
}

/** Journals the value if today's tool makes another one of the recorded arguments: it is judged and asked again. */
function replaceRecorded(call: PipelineCall): boolean {
  const { call: recorded } = call.state;
  if (recorded === undefined || recorded.argsHash === call.argsHash) return false;
  return nextRound(call, recorded.needsApproval);
}

/** The questions of a call that still waits; an empty list for one that only sleeps. */
function openWait(call: PipelineCall): readonly InterruptionData[] | undefined {
  const { question, sleep, child, clientAnswer } = call.state;
  if (question !== undefined) return [question];
  if (clientAnswer !== undefined) return undefined;
  const decided = sleep === undefined && child !== undefined && child.decisions.length > 0;
  const wakeAt = wakeTimeOf(call);
  if (wakeAt !== undefined && !decided) {
    // The run that holds the key of the call, or of a call of its inner run, may have ended.
    const keyHeldBy = sleep?.keyHeldBy ?? child?.keyHeldBy;
    if (keyHeldBy === undefined && call.run.clock.now() < wakeAt) return child?.interruptions ?? [];
    const { turn, index, toolCallId } = call;
    call.run.journal.record({ type: "sleep.ended", turn, index, toolCallId, sleepKey: sleep?.key });
  }
  return child === undefined || decided || child.woken === true ? undefined : child.interruptions;
}

/** Prepares the presentation of a call that already has an outcome. */
async function regain(call: PipelineCall): Promise<undefined> {
  const { call: recorded, outcome } = call.state;
  if (outcome?.failure !== undefined && outcome.failure.fromTool !== true) {
    call.tool = call.run.catalogue.get(call.toolName);
    return undefined;
  }
  find(call);
  if (recorded !== undefined) await read(call);
  return undefined;
}

/** Time until which a call sleeps, itself or in its inner run; `undefined` if it does not sleep. */
export function wakeTimeOf(call: PipelineCall): number | undefined {
  const { sleep, child, result } = call.state;
  return result === undefined ? (sleep?.wakeAt ?? child?.wakeAt) : undefined;
}
