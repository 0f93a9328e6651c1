import { toolReturn, type Tool, type ToolExecutionContext } from "@bailiwick/core";
import type { RecordedToolResult, RunRecording } from "./run-recording.ts";

/** Fields of a tool that belong to its real execution. */
const ofExecution: ReadonlySet<string> = new Set([
  "composition",
  "runsOn",
  "sandboxPolicy",
  "cache",
  "lookup",
  "retry",
  "preferredModel",
  "secretsAllowed",
]);

/** Tools of the framework: each agent that needs them has them, and no other tool may use their names. */
const ofFramework: ReadonlySet<string> = new Set(["read_result", "tool_search"]);

/** Returns the recorded result of a call, or throws its recorded error. */
export type ResultPlayer = (call: Pick<ToolExecutionContext, "toolName" | "toolCallId">) => unknown;

/** Plays the results of a recording by the ids of their calls. */
export function resultPlayer(results: readonly RecordedToolResult[]): ResultPlayer {
  const byCall = new Map(results.map((result) => [result.callId, result]));
  return ({ toolName, toolCallId }) => {
    const result = byCall.get(toolCallId);
    if (result?.tool !== toolName) throw new Error(`The recording has no result of ${toolName} for this call.`);
    if (result.error !== undefined) throw new Error(result.error);
    const { output, contentParts, label, endRun } = result;
    return toolReturn({
      output,
      ...(contentParts !== undefined && { contentParts }),
      ...(label !== undefined && { label }),
      ...(endRun === true && { endRun }),
    });
  };
}

/** A tool with the rules of another and the recorded results: its code does not run. */
export function replacementOf(tool: Tool, play: ResultPlayer): Tool {
  const kept = Object.entries(tool).filter(([name]) => !ofExecution.has(name));
  // The output of an inner agent is as trusted as the data that it read: its recorded label lowers it.
  const inner = tool.composition === undefined ? {} : { output: { integrity: "verified" as const } };
  return {
    ...(Object.fromEntries(kept) as unknown as Tool),
    ...inner,
    execute: (_input, ctx) => play(ctx),
  };
}

/** Replacements of recorded tools that the agent's options do not list, such as those of a server or a handoff. */
export function unlistedReplacements(
  { results, expected }: RunRecording,
  known: ReadonlySet<string>,
  play: ResultPlayer,
): readonly Tool[] {
  const names = [...new Set(expected.calls.flatMap(({ tool, result }) => (result === "unknown_tool" ? [] : [tool])))];
  return names
    .filter((name) => !known.has(name) && !ofFramework.has(name))
    .map((name) => ({
      name,
      description: "A tool of the recording.",
      inputSchema: { type: "object" },
      sideEffectClass: results.some((one) => one.tool === name && one.writer === true)
        ? ("external-stateful" as const)
        : ("read-only" as const),
      execute: (_input, ctx) => play(ctx),
    }));
}
