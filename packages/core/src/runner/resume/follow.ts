import type { RunEvent } from "../../contracts/run-event.ts";
import type { AgentShared } from "../start/agent-shared.ts";
import { loadRun } from "../start/load-run.ts";
import { shownEvents } from "./shown-events.ts";

/** Where a reader that comes back goes on. */
export interface FollowOptions {
  /** The last record that the reader has; default 0: from the beginning. */
  readonly afterSeq?: number | undefined;
}

/**
 * A run's events for a reader that comes late or comes back: every record exactly once and, where this process drives
 * the run as `resumable`, the open turn's deltas and what happens from now on. Of other runs the records until now.
 *
 * @yields Records in order of `seq`, then live events.
 * @throws RunNotFoundError when the store does not have it.
 */
export async function* followRun(shared: AgentShared, runId: string, options: FollowOptions): AsyncGenerator<RunEvent> {
  const buffer = shared.live.get(runId)?.buffer;
  const afterSeq = options.afterSeq ?? 0;
  const { events } = await loadRun(shared.definition, runId);
  const firstHere = buffer?.firstSeq ?? Number.POSITIVE_INFINITY;
  for (const event of await shownEvents(shared.definition, events))
    if (event.seq > afterSeq && event.seq < firstHere) yield event;
  if (buffer !== undefined) yield* buffer.follow(afterSeq);
}
