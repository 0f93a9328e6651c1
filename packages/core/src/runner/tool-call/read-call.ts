import type { JournalEventOf } from "../../contracts/journal-event.ts";
import { ToolMissingError } from "../../errors/run-errors.ts";
import type { CallValue } from "./call-value.ts";
import { hashOf } from "./call-value.ts";
import { fail, isSettled, isUncertain, recordCall, type PipelineCall } from "./call.ts";
import type { ArgumentProblem } from "./failure.ts";
import { parse, parseArguments, validate } from "./validate.ts";

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

/** The value of a journaled call, without what its schema made of it beyond JSON. */
export function recordedValue({ args, given = args, argsHash }: JournalEventOf<"tool.call">): CallValue {
  return { given, args, input: args, hash: argsHash };
}

/**
 * Makes the value of a call: of the recorded arguments, parsed by today's tool, or else of the model's.
 *
 * @returns why they cannot be used, for a call whose effect may have happened; any other one has ended.
 */
export async function read(call: PipelineCall): Promise<ArgumentProblem | undefined> {
  const { call: recorded, flow, outcome } = call.state;
  if (recorded === undefined) {
    const given = parse(call);
    if (!isSettled(call)) await validate(call, given);
    // A call that may have run as a reader has no record yet.
    if (!isSettled(call) && call.state.formerReader === true) recordCall(call);
    return undefined;
  }
  const before = recordedValue(recorded);
  call.value = before;
  const isKept = hashOf(call.run.agent.hasher, recorded.args) === recorded.argsHash;
  const problem = isKept ? await parseArguments(call, before.given, "The arguments") : notKept(call);
  // A call that has ended is presented as it ran.
  if (outcome !== undefined && call.value.hash !== before.hash) call.value = before;
  if (outcome !== undefined) return problem;
  if (problem !== undefined) {
    if (!isUncertain(call)) fail(call, "invalid_input", problem.message, problem.details);
    return problem;
  }
  if (flow !== undefined && call.value.hash === before.hash) {
    call.flow = flow;
    if (flow.input !== undefined) call.value = { ...call.value, input: flow.input };
  }
  return undefined;
}

function notKept({ toolName }: PipelineCall): ArgumentProblem {
  return {
    message: `The arguments of "${toolName}" could not be restored: they held a secret, which is not kept. Nothing ran; call the tool again.`,
    details: { code: "ARGUMENTS_NOT_KEPT" },
  };
}
