import type { RunEvent } from "../../contracts/run-event.ts";
import { number } from "../../errors/value-checks.ts";
import { checkGiven } from "../settings/check-settings.ts";
import { loadRun } from "../start/load-run.ts";
import type { Agent } from "../run.ts";
import type { JournalEvent } from "../../contracts/journal-event.ts";
import { shownRecord } from "../../journal/scrubbed-record.ts";

/** Position at which a returning consumer continues. */
export interface FollowOptions {
  /** The last record that the consumer has; default 0: from the beginning. */
  readonly afterSeq?: number | undefined;
}

/**
 * A run's events for a consumer that joins late or reconnects: every record exactly once and, if this process drives
 * the run as `resumable`, the open turn's deltas and all later events. For other runs, the records so far.
 *
 * @yields Records in order of `seq`, then live events.
 * @throws RunNotFoundError if the store does not have it.
 * @throws ConfigurationError `UNKNOWN_OPTION`, or `INVALID_OPTION` for an `afterSeq` that is not a record number.
 */
export async function* followRun(agent: Agent, runId: string, options: FollowOptions): AsyncGenerator<RunEvent> {
  checkGiven(options, { afterSeq: number(0, "records", true) }, "follow()");
  const { afterSeq = 0 } = options;
  const buffer = agent.live.get(runId)?.buffer;
  const { events } = await loadRun(agent, runId);
  const firstHere = buffer?.firstSeq ?? Number.POSITIVE_INFINITY;
  for (const event of await shownEvents(agent, events)) if (event.seq > afterSeq && event.seq < firstHere) yield event;
  if (buffer !== undefined) yield* buffer.follow(afterSeq);
}

/**
 * Records of a stored run as they may be shown: a sealed journal contains complete arguments, including known secrets.
 */
export async function shownEvents(
  { secrets, sealer }: Pick<Agent, "secrets" | "sealer">,
  events: readonly JournalEvent[],
): Promise<readonly JournalEvent[]> {
  if (sealer === undefined) return events;
  await secrets?.ready();
  return events.map((event) => shownRecord(event, secrets));
}
