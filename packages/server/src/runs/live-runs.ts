import { tellUserCode } from "@bailiwick/core/extension";
import { ConfigurationError, isBusy, type RunHandle, type RunInput, type RunOptions } from "@bailiwick/core";
import { shareRun, type LiveRun } from "./live-run.ts";
import type { ServedAgent, ServedStore } from "./served-agent.ts";

/** Keeps the process alive until a run ends, also after its response. */
type KeepAlive = (over: Promise<unknown>) => void;

/** Number of runs whose failure to continue is kept for the streams of their clients. */
const mostFailures = 1_000;

/** The runs that this process drives for its clients. */
export interface LiveRuns {
  get(runId: string): LiveRun | undefined;
  /** Starts a run, which continues without clients. Rejects if it could not begin. */
  start(input: RunInput, options: RunOptions, keep?: KeepAlive): Promise<LiveRun>;
  /**
   * Resumes a run that can continue and that no process drives. If this fails, for example because a tool's server is
   * away, the request that woke the run was still accepted: the run waits for the next try, and `failureOf` has
   * the error.
   */
  wake(runId: string, keep?: KeepAlive): Promise<void>;
  /** The error with which this process last failed to resume a run; `undefined` after a run that continued. */
  failureOf(runId: string): unknown;
}

/**
 * Manages the runs that this process drives.
 *
 * @param agent - Agent of the runs.
 * @param store - Store of the runs.
 * @param onError - Called for an error that no caller awaits.
 */
export function createLiveRuns(agent: ServedAgent, store: ServedStore, onError: (error: unknown) => void): LiveRuns {
  const runs = new Map<string, LiveRun>();
  const detached = { detached: true, resumable: true } as const;
  const failures = new Map<string, unknown>();
  const fail = (runId: string, error: unknown): void => {
    failures.delete(runId);
    failures.set(runId, error);
    const [oldest] = failures.keys();
    if (failures.size > mostFailures && oldest !== undefined) failures.delete(oldest);
    onError(error);
  };

  const drive = async (handle: RunHandle, keep: KeepAlive | undefined): Promise<LiveRun> => {
    const { live, begun } = shareRun(handle);
    await begun;
    const { runId } = live;
    runs.set(runId, live);
    const over = live.over.then(() => {
      if (runs.get(runId) === live) runs.delete(runId);
      // A decision or message that arrived while the run ended or was suspended made it ready again.
      return wake(runId, keep).catch(onError);
    });
    tellUserCode(() => keep?.(over), onError);
    return live;
  };
  const wake = async (runId: string, keep?: KeepAlive): Promise<void> => {
    const run = await store.getRun(runId);
    if (run?.state !== "queued" || runs.has(runId)) return;
    try {
      await drive(agent.resumeStream(runId, [], detached), keep);
      failures.delete(runId);
    } catch (error) {
      // A worker drives it by now.
      if (!isBusy(error)) fail(runId, error);
    }
  };

  let storeIsTheAgents = false;
  const start = async (input: RunInput, options: RunOptions, keep?: KeepAlive): Promise<LiveRun> => {
    const handle = agent.stream(input, { ...options, ...detached });
    const live = await drive(handle, keep);
    if (!storeIsTheAgents && (await store.getRun(live.runId)) === undefined) {
      handle.abort("its store is another one than the routes'");
      throw new ConfigurationError(
        "STORE_MISMATCH",
        `A run of agent "${agent.name}" is not in the store "${store.name}" that runRoutes() was given. Give it the store that the agent was made with.`,
      );
    }
    storeIsTheAgents = true;
    return live;
  };

  return {
    get: (runId) => runs.get(runId),
    start,
    wake,
    failureOf: (runId) => failures.get(runId),
  };
}
