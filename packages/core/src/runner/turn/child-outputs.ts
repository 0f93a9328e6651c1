import type { FunctionToolResult } from "../../contracts/function-tool-result.ts";
import type { Run } from "../run.ts";

/**
 * Adds the output of each run inside a call that ended in another process: a function of `toolUseBehavior` sees the same
 * before and after a pause.
 */
export async function withChildOutputs(
  run: Run,
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
      const agentRunResult = runId === undefined ? undefined : await run.childOutput(runId);
      return agentRunResult === undefined
        ? result
        : { ...result, agentRunResult, interruptions: agentRunResult.interruptions };
    }),
  );
}
