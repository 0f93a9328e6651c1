import type { FakeAnswer, Fakes } from "../../contracts/fakes.ts";
import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import { isGatedInside } from "../../registry/resolve-name.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { agentPathOf } from "../caller/caller.ts";
import type { Run } from "../run.ts";
import { permitOf, toolOf, type PipelineCall } from "./call.ts";
import type { Execution } from "./execution.ts";

/**
 * Asks the fakes of the run in place of a tool. A tool without a fake runs if it changes nothing outside.
 *
 * @param real - Executes the tool itself.
 * @throws BailiwickError `FAKE_MISSING`
 */
export async function executeFaked(
  call: PipelineCall,
  { answer, realEffects = [], ownStore }: Fakes,
  execution: Execution,
  real: () => unknown,
): Promise<unknown> {
  const tool = toolOf(call);
  const given = await answer({
    toolName: call.toolName,
    args: ownCopy(call.input),
    writes: tool.__isWriter,
    declared: isDeclared(tool),
    runId: call.run.runId,
    toolCallId: call.toolCallId,
    agentPath: agentPathOf(call.run),
    idempotencyKey: permitOf(call).idempotencyKey,
    attempt: execution.attempt,
  });
  if (given === undefined || given === null) {
    if (realEffects.includes(call.toolName) || runsBesideFakes(tool, ownStore === true)) return real();
    throw new BailiwickError(
      "FAKE_MISSING",
      `the run has fakes, and none for "${call.toolName}", which ${tool.__isWriter ? "may change something" : "does not declare that it only reads"}. Nothing ran. Add a fake for "${call.toolName}".`,
      { runId: call.run.runId },
    );
  }
  execution.faked = true;
  return outputOf(call.toolName, given);
}

function outputOf(toolName: string, given: FakeAnswer): unknown {
  if (typeof given === "object" && "error" in given) throw given.error;
  if (typeof given === "object" && "output" in given) return given.output;
  throw new BailiwickError(
    "INVALID_OPTION",
    `fakes.answer returned no answer for "${toolName}". Return { output }, { error } or undefined.`,
  );
}

/** True if your own code, or your entry with the tool's name, declares the effect of a tool. */
function isDeclared(tool: ResolvedTool): boolean {
  return tool.__effectDeclared && !tool.__effectHinted;
}

/**
 * Returns true if a tool is executed in a run with fakes that has no answer for it: it changes nothing outside, a person
 * answers in its place, or its own calls are faked.
 *
 * @param tool - The registered tool.
 * @param ownStore - The store of the run belongs to its caller alone.
 */
export function runsBesideFakes(tool: ResolvedTool, ownStore: boolean): boolean {
  if (tool.runsOn === "client" || isGatedInside(tool)) return true;
  if (tool.composition !== undefined) return false;
  const { __source: source } = tool;
  if (source.kind === "built-in" && source.subsystem === "memory") return ownStore;
  return !tool.__isWriter && isDeclared(tool);
}

/** True if a run leaves nothing for later runs: no memory, and no message or state of its session. */
export function leavesNothing({ options, journal }: Pick<Run, "options" | "journal">): boolean {
  const { fakes } = options;
  if (fakes !== undefined) return fakes.ownStore !== true;
  return journal.state.start?.faked === "no_store";
}
