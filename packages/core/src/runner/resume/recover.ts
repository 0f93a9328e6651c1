import type { RunOutput } from "../../contracts/run-output.ts";
import { RunBusyError } from "../../errors/run-errors.ts";
import type { AgentShared } from "../agent/agent-shared.ts";
import { toError } from "../hooks/hooks-runner.ts";

/** Which runs are recovered, and until when. */
export interface RecoverOptions {
  /** Runs at most; default 10. */
  readonly limit?: number | undefined;
  /** Takes up no further run once it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Lease expiries without progress after which a run is not taken up again: it would crash every process that does. */
const maxAttempts = 5;

/**
 * Drives runs that nobody drives: those that are ready, sleepers whose time has come, and those whose process died.
 * Runs of other agents are left alone, and a run inside a tool call goes on with the run that made the call.
 *
 * @param resume - Takes up one run.
 * @returns the outputs of the runs that were driven, those that failed included.
 */
export async function recoverRuns(
  shared: AgentShared,
  options: RecoverOptions,
  resume: (runId: string) => Promise<RunOutput>,
): Promise<readonly RunOutput[]> {
  const limit = options.limit ?? 10;
  const { store, name } = shared.definition;
  const found = [...(await store.listExpired(limit)), ...(await store.listRunnable(limit))];
  const outputs: RunOutput[] = [];
  for (const { id, attempts } of found
    .filter((run) => run.agentId === name && run.parent === undefined)
    .slice(0, limit)) {
    if (options.signal?.aborted === true) break;
    if (attempts >= maxAttempts) {
      shared.logger.error(
        `Run ${id} ended its process ${attempts} times without getting further; it is not taken up again. Inspect it, then resume or cancel it.`,
      );
      continue;
    }
    try {
      outputs.push(await resume(id));
    } catch (thrown) {
      const error = toError(thrown);
      const output = (error as { readonly output?: RunOutput }).output;
      if (output !== undefined) outputs.push(output);
      else if (!RunBusyError.isInstance(error))
        shared.logger.error(`Run ${id} could not be recovered: ${error.message}`, { error });
    }
  }
  return outputs;
}
