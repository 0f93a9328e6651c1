import type { StopReason } from "@bailiwick/core";
import type { StudioRun } from "../../src/views/view-types.ts";

/** Sentences for ends that are neither an answer nor an error. */
const stopWords: Readonly<Partial<Record<StopReason, string>>> = {
  stopped_by_tool: "A tool stopped the run.",
  truncated: "The run was stopped: the model's answer reached its limit of tokens.",
  stop_condition: "The run was stopped: a stop condition of the agent was met.",
  stopped_by_hook: "A hook stopped the run.",
  refused: "The model refused to answer.",
  max_turns: "The run was stopped: it reached its limit of turns.",
  budget_exhausted: "The run was stopped: its budget is used up.",
  timed_out: "The run was stopped: it reached its time limit.",
  loop_detected: "The run was stopped: the model repeated the same calls.",
  policy_denied: "The run was stopped: a rule denied a call.",
  unattended: "The run was stopped: it needed a person, and it runs without one.",
  guardrail_blocked: "A guardrail stopped the run.",
  context_overflow: "The run was stopped: the conversation no longer fits into the model's context.",
};

/** The reason of an end that is neither an answer nor an error, as a sentence. */
export function endWords({ state, stopReason }: Pick<StudioRun, "state" | "stopReason">): string | undefined {
  if (state === "stuck")
    return "The run is stuck: its process ended several times without progress. Read the log of the worker, then retry the run or cancel it.";
  if (state === "cancelled") return "The run was cancelled before it had an answer.";
  if (state !== "stopped") return undefined;
  return (stopReason === undefined ? undefined : stopWords[stopReason]) ?? "The run was stopped.";
}
