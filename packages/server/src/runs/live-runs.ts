import { tellUserCode } from "@bailiwick/core/extension";
import {
  ConfigurationError,
  isBusy,
  type Decision,
  type RunHandle,
  type RunInput,
  type RunOptions,
} from "@bailiwick/core";
import { shareRun, type LiveRun } from "./live-run.ts";
import type { ServedAgent, ServedStore } from "./served-agent.ts";

/** Keeps the process alive until a run ends, also after its response. */
type KeepAlive = (over: Promise<unknown>) => void;

/** The runs that this process drives for its clients. */
export interface LiveRuns {
  get(runId: string): LiveRun | undefined;
  /** Starts a run, which continues without clients. Rejects if it could not begin. */
  start(input: RunInput, options: RunOptions, keep?: KeepAlive): Promise<LiveRun>;
  /** Resumes a run. Rejects if this fails, for example because of a decision that does not fit. */
  resume(runId: string, decisions?: readonly Decision[], keep?: KeepAlive): Promise<LiveRun>;
  /** Resumes a run that can continue and that no process drives. */
  wake(runId: string, keep?: KeepAlive): Promise<void>;
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
    } catch (error) {
      // A worker drives it by now.
      if (!isBusy(error)) throw error;
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
    resume: (runId, decisions = [], keep) => drive(agent.resumeStream(runId, decisions, detached), keep),
    wake,
  };
}
