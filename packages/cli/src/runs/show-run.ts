import type { AgentRuntime } from "@bailiwick/core";
import { ofTenants, type OwnerOptions } from "../entry/owner.ts";
import { describeQuestion } from "../questions/describe-question.ts";
import { questionRow } from "../questions/question-row.ts";
import { oneLine } from "../output/printable.ts";
import { table } from "../output/table.ts";
import type { Terminal, Tone } from "../output/terminal.ts";
import { shownTime } from "../output/time.ts";
import { describeOutput } from "./drive.ts";
import { outputRow } from "./output-row.ts";
import { runRow, type RunRow } from "./run-row.ts";

const tones: Readonly<Record<string, Tone>> = { good: "green", waiting: "yellow", bad: "red" };

/** Formats a list of runs for people. */
export function listedRuns(terminal: Terminal, rows: readonly RunRow[], { tenant }: OwnerOptions): string {
  if (rows.length === 0) return `There are no such runs.${ofTenants(tenant)}`;
  return table(
    terminal,
    ["RUN", "AGENT", "STATE", "CREATED (UTC)", "RECORDS"],
    rows.map(({ id, agent, state, waitingOn, createdAt, records }) => [
      id,
      agent,
      waitingOn.length === 0 ? state : `${state} (${waitingOn.join(", ")})`,
      createdAt.slice(0, 19).replace("T", " "),
      String(records),
    ]),
  );
}

/** Prints a run with its result, its questions and its journal in words. */
export async function showRun(terminal: Terminal, reader: AgentRuntime, runId: string): Promise<void> {
  const { run, output, progress, events, interruptions, uncertainCalls } = await reader.inspect(runId);
  const { runTimeline } = await import("@bailiwick/server");
  const timeline = runTimeline(events);
  const value = {
    run: runRow(run),
    output: output === undefined ? null : outputRow(output),
    progress,
    questions: interruptions.map(questionRow),
    uncertainCalls,
    timeline,
  };
  terminal.result(value, () =>
    [
      output === undefined ? `${run.state}  run ${runId}` : describeOutput(terminal, output),
      "",
      `agent ${run.agentId}, ${run.state}, created ${shownTime(run.createdAt)} UTC`,
      `tokens ${progress.usage.inputTokens ?? 0} in, ${progress.usage.outputTokens ?? 0} out${progress.costUsd === undefined ? "" : `, $${progress.costUsd.toFixed(4)}`}`,
      ...uncertainCalls.map(({ toolName }) =>
        terminal.paint("yellow", `It is not known if ${toolName} took effect before the process ended.`),
      ),
      "",
      ...timeline.map(({ seq, at, title, detail, tone }) => {
        const colour = tones[tone];
        const words = `${String(seq).padStart(4)}  ${shownTime(at).slice(11)}  ${oneLine(title, 100)}`;
        const more = detail === undefined ? "" : `  ${terminal.paint("dim", oneLine(detail, 100))}`;
        return `${colour === undefined ? words : terminal.paint(colour, words)}${more}`;
      }),
      ...interruptions.flatMap((open) => ["", describeQuestion(terminal, open)]),
    ].join("\n"),
  );
}
