import type { InterruptionData } from "../../contracts/interruption.ts";
import { approve } from "./approve.ts";
import { authorize, authorizeAgain, askGates } from "./authorize.ts";
import { hasLeftGate, fail, recordCall, runStages, wait, type PipelineCall, type MaybePromise } from "./call.ts";
import { gateClientTool, takeClientAnswer } from "./client-call.ts";
import { deduplicate } from "./deduplicate.ts";
import { parse, validate } from "./validate.ts";
import { findTool, gateResumed, restore, settleUncertain } from "./restore.ts";

/** The stages of a call that is gated for the first time. */
const gateStages = [resolve, parse, validate, askGates, authorize, approve, deduplicate, gateClientTool, pass] as const;

/** The stages of a journaled call: the stricter of the journal and today's code decides. */
const resumeStages = [
  restore,
  settleUncertain,
  authorizeAgain,
  gateResumed,
  approve,
  deduplicate,
  gateClientTool,
  pass,
] as const;

/** The stages of a call that may have run as a reader, without a record, and that would write today. */
const formerReaderStages = [resolve, parse, validate, recordCall, ...resumeStages] as const;

/**
 * Takes a call through its gate: afterwards it is ready to run, waits for a person, or has its outcome.
 *
 * @throws ToolMissingError if a call that passed its gate before needs a tool that is gone.
 */
export function gate(call: PipelineCall): MaybePromise<void> {
  const { state } = call;
  if (state.outcome !== undefined) return regain(call);
  if (call.batch.stopped !== undefined && state.intent === undefined) return undefined;
  if (state.question !== undefined) return waitOn(call, [state.question]);
  if (state.clientAnswer !== undefined) return takeClientAnswer(call, state.clientAnswer);
  if (isAsleep(call)) return waitOn(call, state.child?.interruptions ?? []);
  if (state.child !== undefined && state.child.decisions.length === 0 && state.child.woken !== true)
    return waitOn(call, state.child.interruptions);
  const first = state.formerReader === true ? formerReaderStages : gateStages;
  return runStages(state.call === undefined ? first : resumeStages, call, hasLeftGate);
}

/** A call that no stage has stopped may run. */
function pass(call: PipelineCall): void {
  call.phase = "ready";
}

function waitOn(call: PipelineCall, interruptions: readonly InterruptionData[]): void {
  wait(call, interruptions);
  findTool(call);
}

/** Prepares the presentation of a call that already has an outcome. */
async function regain(call: PipelineCall): Promise<void> {
  const { call: recorded, outcome } = call.state;
  call.phase = "finished";
  if (outcome === undefined || (outcome.failure !== undefined && outcome.failure.fromTool !== true)) {
    call.tool = call.run.catalogue.get(call.toolName);
    return;
  }
  findTool(call);
  if (recorded !== undefined) await restore(call);
}

/** Maximum number of names in an error about an unknown tool. */
const namesShown = 5;

/** Finds the tool. For an unknown name, the model gets the most similar names. */
function resolve(call: PipelineCall): void {
  const { catalogue } = call.run;
  const tool = catalogue.get(call.toolName);
  if (tool === undefined) return fail(call, "unknown_tool", unknownTool(call));
  if (!catalogue.isCallable(call.toolName)) {
    return fail(
      call,
      "unknown_tool",
      catalogue.get("tool_search") === undefined
        ? `The tool "${call.toolName}" is not offered in this turn. Use one of the tools that are.`
        : `The tool "${call.toolName}" has not been loaded yet. Call tool_search with what you want to do; the tools it finds can be called after that.`,
    );
  }
  call.tool = tool;
}

function unknownTool(call: PipelineCall): string {
  const { catalogue } = call.run;
  const nearest = catalogue.nearest(call.toolName, namesShown);
  const hints = [`There is no tool "${call.toolName.slice(0, 128)}".`];
  if (nearest.length > 0) hints.push(`The nearest names are: ${nearest.join(", ")}.`);
  else hints.push(`Tools that exist: ${firstNames(catalogue.advertised().map(({ name }) => name))}.`);
  if (catalogue.get("tool_search") !== undefined) hints.push("Other tools can be found with tool_search.");
  return hints.join(" ");
}

function firstNames(names: readonly string[]): string {
  const rest = names.length - namesShown;
  const shown = names.slice(0, namesShown).join(", ");
  return rest > 0 ? `${shown}, and ${rest} more` : shown || "none";
}

/** Time until which a call sleeps, itself or in its inner run; `undefined` if it does not sleep. */
export function wakeTimeOf(call: PipelineCall): number | undefined {
  const { sleep, child, result } = call.state;
  return result === undefined ? (sleep?.wakeAt ?? child?.wakeAt) : undefined;
}

/**
 * True if a call still sleeps. Its wake-up time is journaled, so that the clock is read once. A person's decision wakes
 * the inner run of a call earlier.
 */
function isAsleep(call: PipelineCall): boolean {
  const { sleep, child } = call.state;
  const wakeAt = wakeTimeOf(call);
  if (wakeAt === undefined || (sleep === undefined && child !== undefined && child.decisions.length > 0)) return false;
  // The run that holds the key of the call, or of a call of its inner run, may have ended.
  if (sleep?.keyHeldBy === undefined && child?.keyHeldBy === undefined && call.run.clock.now() < wakeAt) return true;
  const { turn, index, toolCallId } = call;
  call.run.journal.record({
    type: "sleep.ended",
    turn,
    index,
    toolCallId,
    sleepKey: sleep?.key,
  });
  return false;
}
