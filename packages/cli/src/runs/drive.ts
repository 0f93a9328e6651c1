import type { AgentRuntime, Decision, RunOutput } from "@bailiwick/core";
import { exitCodeOfStatus } from "../exit-codes.ts";
import { oneLine, printable } from "../output/printable.ts";
import type { Terminal } from "../output/terminal.ts";
import { outputRow } from "./output-row.ts";

/**
 * Resumes a run in this process, shows its progress on a terminal, and prints its result.
 *
 * @returns the exit code.
 */
export async function drive(
  terminal: Terminal,
  agent: AgentRuntime,
  runId: string,
  decisions: readonly Decision[] = [],
  options: { readonly formerIsGone?: boolean | undefined } = {},
): Promise<number> {
  const handle = agent.resumeStream(runId, decisions, { detached: true, ...options });
  try {
    for await (const event of handle) {
      if (event.type === "tool.intent") terminal.progress(`${agent.name}: ${oneLine(event.toolName, 60)} …`);
      else if (event.type === "model.intent") terminal.progress(`${agent.name}: asking the model …`);
    }
  } finally {
    terminal.settle();
  }
  const output = await handle.result;
  terminal.result(outputRow(output), () => describeOutput(terminal, output));
  return exitCodeOfStatus(output.status);
}

/** Puts a run's result into words. */
export function describeOutput(terminal: Terminal, output: RunOutput): string {
  const { runId, status, stopReason, text, interruptions } = output;
  const tone = status === "completed" ? "green" : status === "failed" ? "red" : "yellow";
  const reason = stopReason === status ? "" : ` (${stopReason.replaceAll("_", " ")})`;
  return [
    `${terminal.paint(tone, status)}${reason}  run ${runId}`,
    ...(text === "" ? [] : ["", printable(text)]),
    ...(interruptions.length === 0
      ? []
      : ["", `The run waits for ${interruptions.length} decision(s): bailiwick inbox list --run ${runId}`]),
  ].join("\n");
}
