import type { InterruptionData } from "../../contracts/interruption.ts";
import { ToolMissingError } from "../../errors/run-errors.ts";
import { fail, hasLeftGate, recordCall, wait, type PipelineCall } from "./call.ts";
import { gateClientTool, takeClientAnswer } from "./client-call.ts";
import { deduplicate } from "./deduplicate.ts";
import type { ArgumentProblem } from "./failure.ts";
import { judge } from "./judge.ts";
import { permission } from "./permission.ts";
import { isUncertain, settle } from "./settle.ts";
import { hashArguments, parse, parseArguments, validate } from "./validate.ts";

/**
 * Takes a call from its arguments to the permission to run. Each process enters it again: what the journal has is read,
 * what it lacks is decided and journaled, and of a verdict of then and one of today the stricter holds. Afterwards the
 * call is ready, waits, or has its outcome.
 *
 * @throws ToolMissingError if a call that is in the journal needs a tool that is gone.
 */
export async function permit(call: PipelineCall): Promise<void> {
  const { state, batch } = call;
  if (state.outcome !== undefined) return regain(call);
  if (batch.stopped !== undefined && state.intent === undefined) return;
  const open = openWait(call);
  if (open !== undefined) {
    wait(call, open);
    find(call);
    return;
  }
  if (state.clientAnswer !== undefined) return takeClientAnswer(call, state.clientAnswer);

  if (!find(call)) return;
  const problem = await read(call);
  if (hasLeftGate(call)) return;
  // An effect that may have happened is settled before anything can refuse the call, so that no refusal hides it.
  const earlier = await settle(call, problem);
  if (earlier === undefined) return;

  const verdict = await judge(call, earlier);
  if (verdict === undefined) return;
  recordCall(call);
  if (!(await permission(call, verdict, earlier))) return;
  await deduplicate(call);
  if (!hasLeftGate(call)) gateClientTool(call);
  if (!hasLeftGate(call)) call.phase = "ready";
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
async function regain(call: PipelineCall): Promise<void> {
  const { call: recorded, outcome } = call.state;
  call.phase = "finished";
  if (outcome?.failure !== undefined && outcome.failure.fromTool !== true) {
    call.tool = call.run.catalogue.get(call.toolName);
    return;
  }
  find(call);
  if (recorded !== undefined) await read(call);
}

/** Maximum number of names in an error about an unknown tool. */
const namesShown = 5;

/** Finds the tool. For an unknown name, the model gets the most similar names. */
export function find(call: PipelineCall): boolean {
  const { catalogue, runId } = call.run;
  const tool = catalogue.get(call.toolName);
  const isRecorded = call.state.call !== undefined;
  // A tool that is gone can return, so a run with a journaled call of it stays resumable.
  if (tool === undefined && isRecorded) throw new ToolMissingError(call.toolName, runId);
  if (tool !== undefined && (isRecorded || catalogue.isCallable(call.toolName))) {
    call.tool = tool;
    return true;
  }
  const { toolName } = call;
  fail(
    call,
    "unknown_tool",
    tool === undefined
      ? unknownTool(call)
      : catalogue.get("tool_search") === undefined
        ? `The tool "${toolName}" is not offered in this turn. Use one of the tools that are.`
        : `The tool "${toolName}" has not been loaded yet. Call tool_search with what you want to do; the tools it finds can be called after that.`,
  );
  return false;
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
 * Reads the arguments: those of the journal, parsed by today's tool, or else those of the model.
 *
 * @returns why they cannot be used, for a call whose effect may have happened; any other one has ended.
 */
export async function read(call: PipelineCall): Promise<ArgumentProblem | undefined> {
  const recorded = call.state.call;
  if (recorded === undefined) {
    parse(call);
    if (!hasLeftGate(call)) await validate(call);
    // A call that may have run as a reader has no record yet.
    if (!hasLeftGate(call) && call.state.formerReader === true) recordCall(call);
    return undefined;
  }
  call.args = recorded.args;
  call.input = recorded.args;
  call.argsHash = recorded.argsHash;
  const problem =
    hashArguments(call, recorded.args) === recorded.argsHash
      ? await parseArguments(call, recorded.args, "The arguments")
      : {
          message: `The arguments of "${call.toolName}" could not be restored: they held a secret, which is not kept. Nothing ran; call the tool again.`,
          details: { code: "ARGUMENTS_NOT_KEPT" },
        };
  if (problem !== undefined && call.state.outcome === undefined && !isUncertain(call))
    fail(call, "invalid_input", problem.message, problem.details);
  const { flow } = call.state;
  if (problem === undefined && flow !== undefined && call.state.outcome === undefined) {
    call.flow = flow;
    if (flow.input !== undefined) call.input = flow.input;
  }
  return problem;
}
