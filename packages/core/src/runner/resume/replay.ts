import type { RunOutput } from "../../contracts/run-output.ts";
import type { AgentDefinition } from "../active-run.ts";
import { loadRun } from "../start/load-run.ts";
import { storedOutput } from "../end/suspended-output.ts";

/**
 * Plays a run again from its records alone: no model is asked, no tool runs, nothing is written. Every key is derived
 * again on the way.
 *
 * @throws RunNotFoundError when the store does not have it.
 * @throws ReplayDivergenceError when a record does not have the key that the run derives.
 */
export async function replayRun(definition: AgentDefinition, runId: string): Promise<RunOutput> {
  return storedOutput((await loadRun(definition, runId)).state);
}
