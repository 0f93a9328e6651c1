import type { JournalEvent, JournalEventOf } from "../../contracts/journal-event.ts";
import type { Interruption } from "../../contracts/interruption.ts";
import type { RunOutput, RunProgress } from "../../contracts/run-output.ts";
import type { StoredRun } from "../../contracts/ports/stored-run.ts";
import { uncertainCalls } from "../../journal/uncertain-calls.ts";
import { loadRun, openInterruptions, storedOutput } from "../start/load-run.ts";
import type { Agent } from "../run.ts";
import type { RunEvent } from "../../contracts/run-event.ts";
import { number } from "../../errors/value-checks.ts";
import { checkGiven } from "../settings/check-settings.ts";
import { shownRecord } from "../../journal/scrubbed-record.ts";

/** Everything that is known about a run. */
export interface RunInspection {
  /** The stored run. */
  readonly run: StoredRun;
  /**
   * The journal, in order. Each record was made once; the effect that it describes may have been executed more than
   * once.
   */
  readonly events: readonly JournalEvent[];
  /** The output of a run that ended, is suspended or sleeps; `undefined` while the run is queued, running or stuck. */
  readonly output: RunOutput | undefined;
  /** The metadata that the run was started with, also before its first record. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The parts of an output that every run has: its text, calls, messages, usage and cost until now. */
  readonly progress: RunProgress;
  /** Questions that the run waits for. */
  readonly interruptions: readonly Interruption[];
  /** Writers that have an intent but no outcome: it is not recorded if they took effect. */
  readonly uncertainCalls: readonly { readonly toolCallId: string; readonly toolName: string }[];
  /** Records of labels that validators of tools or approvals lowered. */
  readonly lowerings: readonly JournalEventOf<"flow.lowered">[];
}

/** True for a run inside a call that was cancelled with its outer run: its journal ends with its questions. */
export function endedWithOuter({ parent, state }: StoredRun): boolean {
  return parent !== undefined && state === "cancelled";
}

/** The output of a run that is not driven now; a run that has not ended has none. */
export function restingOutput(run: StoredRun, output: RunOutput): RunOutput | undefined {
  const { state } = run;
  if (endedWithOuter(run)) return { ...output, status: "cancelled", stopReason: "cancelled", interruptions: [] };
  return state === "queued" || state === "running" || state === "stuck" ? undefined : output;
}

/**
 * Reads a run without driving it.
 *
 * @throws RunNotFoundError when the store does not have it.
 */
export async function inspectRun(agent: Agent, runId: string): Promise<RunInspection> {
  const { run, events, state, queued } = await loadRun(agent, runId);
  const output = storedOutput(state);
  const { text, toolCalls, messages, usage, usageByAgent, costUsd, metrics, warnings } = output;
  return {
    run,
    events: await shownEvents(agent, events),
    output: restingOutput(run, output),
    metadata: (state.start ?? queued).metadata ?? {},
    progress: { text, toolCalls, messages, usage, usageByAgent, costUsd, metrics, warnings },
    interruptions: endedWithOuter(run) ? [] : openInterruptions(state),
    uncertainCalls: uncertainCalls(state, state.seq),
    lowerings: events.filter((event) => event.type === "flow.lowered"),
  };
}

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
  const firstHere = buffer?.firstSeq ?? Infinity;
  for (const event of await shownEvents(agent, events)) if (event.seq > afterSeq && event.seq < firstHere) yield event;
  if (buffer !== undefined) yield* buffer.follow(afterSeq);
}

/**
 * Records of a stored run as they may be shown: a sealed journal contains complete arguments, including known secrets.
 */
async function shownEvents(
  { secrets, sealer }: Pick<Agent, "secrets" | "sealer">,
  events: readonly JournalEvent[],
): Promise<readonly JournalEvent[]> {
  if (sealer === undefined) return events;
  await secrets?.ready();
  return events.map((event) => shownRecord(event, secrets));
}
