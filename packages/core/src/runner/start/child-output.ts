import type { RunOutput } from "../../contracts/run-output.ts";
import { answerText } from "../../history/answer-text.ts";
import { runOutput } from "../answer/run-output.ts";
import { loadState } from "./load-run.ts";
import type { Agent } from "../run.ts";

/**
 * The output of an ended inner run, from its journal. The runs of an agent with another store are not in this one and
 * are not found.
 */
export async function childOutput(agent: Agent, runId: string): Promise<RunOutput | undefined> {
  if ((await agent.store.getRun(runId)) === undefined) return undefined;
  const state = await loadState(agent, runId);
  const { end } = state;
  if (end === undefined) return undefined;
  return runOutput(state, {
    status: end.status,
    stopReason: end.stopReason,
    text: end.text ?? answerText(state.lastAnswer),
    structured: end.structured,
    durationMs: end.durationMs,
    interruptions: [],
    followupSuggestions: end.followupSuggestions,
  });
}
