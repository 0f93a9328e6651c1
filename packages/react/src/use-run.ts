import type { JournalEvent } from "@bailiwick/core";
import { useEffect, useMemo, useState } from "react";
import { isWithheld, type AgentClient, type RunView } from "./agent-client.ts";

const ended: ReadonlySet<RunView["state"]> = new Set(["completed", "stopped", "cancelled", "failed"]);

/** A run with its state and its records so far. */
export interface FollowedRun {
  /** `undefined` until it is loaded. */
  readonly run: RunView | undefined;
  /** The journal, in order. */
  readonly events: readonly JournalEvent[];
  /** The error of the connection, if it failed. */
  readonly error: Error | undefined;
}

const nothing: FollowedRun = { run: undefined, events: [], error: undefined };

/**
 * Follows the journal of a run until the run ends, in any process that drives it. The caller needs the right to `audit`
 * it.
 *
 * @param client - Made with `agentClient`, outside of the component.
 * @param runId - The run; `undefined` follows none.
 * @param pollMs - How often it is asked for new records, in milliseconds; default 1,000.
 * @example
 * ```ts
 * import { agentClient, useRun } from "@bailiwick/react";
 *
 * const client = agentClient();
 * export const useCost = (runId: string): number | undefined => useRun(client, runId).run?.costUsd;
 * ```
 */
export function useRun(client: AgentClient, runId: string | undefined, pollMs = 1_000): FollowedRun {
  // The records of the run before, or of the client of another user, are not returned while these load.
  const asked = useMemo(() => ({ client, runId }), [client, runId]);
  const [{ of, followed }, setFollowed] = useState({ of: asked, followed: nothing });
  useEffect(() => {
    const show = (next: (before: FollowedRun) => FollowedRun): void =>
      setFollowed((before) => ({ of: asked, followed: next(before.of === asked ? before.followed : nothing) }));
    show(() => nothing);
    if (runId === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    let events: readonly JournalEvent[] = [];
    const look = async (): Promise<void> => {
      try {
        // The run first, so that records that arrive between the two requests are not missed.
        const run = await client.run(runId);
        events = [...events, ...(await client.journal(runId, events.at(-1)?.seq ?? 0))];
        if (isGone) return;
        show(() => ({ run, events, error: undefined }));
        if (!ended.has(run.state)) timer = setTimeout(() => void look(), pollMs);
      } catch (error) {
        if (isGone) return;
        // A refusal means that the run is not, or no longer, the caller's: nothing of it is shown.
        const isRefused = isWithheld(error);
        if (isRefused) events = [];
        show((before) => ({ ...(isRefused ? nothing : before), error: error as Error }));
        timer = setTimeout(() => void look(), pollMs);
      }
    };
    void look();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [asked, client, runId, pollMs]);
  return of === asked ? followed : nothing;
}
