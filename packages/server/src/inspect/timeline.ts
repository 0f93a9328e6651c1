import { checkArgument } from "@bailiwick/core";
import type { JournalEvent } from "@bailiwick/core";
import { describeRecord, type RecordWords } from "./describe-record.ts";
import { labelWords, type LabelWords } from "./label-words.ts";

/** One record of a run, for people. */
export interface TimelineRow extends RecordWords {
  /** Number of the record in the journal. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Type of the record, such as `tool.result`. */
  readonly type: JournalEvent["type"];
  /** Number of the turn, from 1. */
  readonly turn?: number | undefined;
  /** Trust in its content and the content's origin; absent if the run's policy gave no label. */
  readonly label?: LabelWords | undefined;
}

/**
 * A run's journal as a timeline: its events in words, with labels, tokens, cost and time.
 *
 * @param events - In order of `seq`; `agent.inspect(runId)` gives them.
 * @returns a row for each record.
 * @example
 * ```ts
 * import type { JournalEvent } from "@bailiwick/core";
 * import { runTimeline } from "@bailiwick/server";
 *
 * export const titles = (journal: readonly JournalEvent[]): string[] => runTimeline(journal).map(({ title }) => title);
 * ```
 */
export function runTimeline(events: readonly JournalEvent[]): readonly TimelineRow[] {
  checkArgument(events, "array", "runTimeline(events)");
  const label = labelWords();
  return events.map((event) => ({
    seq: event.seq,
    at: event.at,
    type: event.type,
    ...("turn" in event && { turn: event.turn }),
    ...describeRecord(event),
    label: label(event),
  }));
}
