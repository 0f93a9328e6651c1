import type { FunctionToolResult } from "../../contracts/function-tool-result.ts";
import type { DrivenRun } from "../driven-run.ts";
import { storedOutput } from "../end/suspended-output.ts";
import { loadState } from "../start/load-run.ts";

/**
 * Adds the output of each run inside a call that ended in another process: a function of `toolUseBehavior` sees the same
 * before and after a pause. An agent with a store of its own keeps its runs there, and its output is then left out.
 */
export async function withChildOutputs(
  run: DrivenRun,
  results: readonly FunctionToolResult[],
): Promise<readonly FunctionToolResult[]> {
  const { state } = run.journal;
  const children = new Map(
    state.turnCalls.flatMap((key) => {
      const call = state.calls.get(key);
      const runId = call?.outcome?.childRun?.runId;
      return call === undefined || runId === undefined ? [] : [[call.toolCallId, runId] as const];
    }),
  );
  return Promise.all(
    results.map(async (result) => {
      if (result.type !== "function_output" || result.agentRunResult !== undefined) return result;
      const runId = children.get(result.runItem.toolCallId);
      if (runId === undefined) return result;
      const { store } = run.definition;
      if ((await store.getRun(runId)) === undefined) return result;
      const agentRunResult = storedOutput(await loadState(run.definition, runId));
      return { ...result, agentRunResult, interruptions: agentRunResult.interruptions };
    }),
  );
}
