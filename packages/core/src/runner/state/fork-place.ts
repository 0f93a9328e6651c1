import type { JournalEvent } from "../../contracts/journal-event.ts";
import type { Signal } from "../../contracts/signal.ts";
import type { Hasher } from "../../contracts/ports/hasher.ts";
import { callKey, type CallKey } from "../../journal/run-state.ts";

/** The run that a fork copies its beginning from. */
export interface ForkOrigin {
  readonly runId: string;
  /** Suffixes that make the ids of its questions new: a fork asks its own questions. */
  readonly salts: readonly string[];
  /**
   * Time of the fork in that run, in milliseconds since the epoch: of the last copied record, or of the fork itself if it
   * copied all records. Runs inside copied calls had made their records until then.
   */
  readonly at: number;
}

/**
 * The origin of a forked run. It is stored with the input in the run's row, so that another process can finish a fork
 * whose process died, instead of starting it from its input.
 */
export interface ForkPlace {
  /** The forked run, then the origin of that run: inner runs are stored under the run that made the call. */
  readonly origins: readonly [ForkOrigin, ...ForkOrigin[]];
  readonly atSeq: number;
  /** A message that the new run reads next. */
  readonly message?: Signal | undefined;
  /** New texts of copied messages, by their ids. */
  readonly edits?: Readonly<Record<string, string>> | undefined;
  /** Last record before which this fork, or one that it was made from, edited messages. */
  readonly editedTo?: number | undefined;
}

/**
 * Splits a stored input that has a note, such as `$fork`; any other input is returned unchanged. A message with a member
 * of that name came from a caller: it must bring neither options nor the records of the run that it names.
 */
export function openNoted<Note>(
  stored: unknown,
  name: "$fork" | "$queued",
): { readonly input: unknown; readonly note: Note | undefined } {
  if (typeof stored !== "object" || stored === null || !(name in stored) || "role" in stored)
    return { input: stored, note: undefined };
  const { [name]: note, input } = stored as { readonly input: unknown } & Readonly<Record<typeof name, Note>>;
  return { input, note };
}

/** The place of a fork of a run that may be a fork itself. */
export function forkPlace(
  newId: string,
  source: { readonly runId: string; readonly fork: ForkPlace | undefined },
  { seq, at }: Pick<JournalEvent, "seq" | "at">,
  { message, edits }: Pick<ForkPlace, "message" | "edits">,
): ForkPlace {
  const before = source.fork?.origins ?? [];
  return {
    origins: [
      { runId: source.runId, salts: [newId], at },
      ...before.map((one) => ({ runId: one.runId, salts: [...one.salts, newId], at: Math.min(one.at, at) })),
    ],
    atSeq: seq,
    message,
    edits,
  };
}

/** The id of the n-th run inside a call: always the same, so that it is found again after a crash. */
export function insideRunId(hasher: Hasher, runId: string, place: string, n: number): string {
  return hasher.sha256(`${runId}/${place}/run${n === 1 ? "" : n}`).slice(0, 32);
}

/** Source of the first records of a run inside a call of a fork. */
export interface InsideOrigin {
  readonly origins: readonly ForkOrigin[];
  /** Reason for which it had suspended the call in the copied records. */
  readonly suspended: Suspended | undefined;
}

/** Reason for which an inner run has suspended the call. */
export interface Suspended {
  readonly times: number;
  /** No decision was made since. */
  readonly waits: boolean;
}

/** A run that is a fork, for the runs inside its calls. */
export interface Forked {
  readonly place: ForkPlace;
  /** Reason for which each inner run had suspended the call, by id. */
  readonly suspended: ReadonlyMap<string, Suspended>;
  /** The calls in the copied records: a run inside another call began after the place of the fork. */
  readonly calls: ReadonlySet<CallKey>;
}

/** Facts for the runs inside the calls of a fork, from its place and records; `undefined` for other runs. */
export function forkedRun(place: ForkPlace | undefined, events: readonly JournalEvent[]): Forked | undefined {
  if (place === undefined) return undefined;
  const suspended = new Map<string, Suspended>();
  const last = new Map<string, string>();
  const calls = new Set<CallKey>();
  for (const event of events.slice(0, place.atSeq)) {
    if (event.type === "tool.call") calls.add(callKey(event.turn, event.index));
    if (event.type === "child.suspended") {
      last.set(event.toolCallId, event.childRunId);
      suspended.set(event.childRunId, { times: (suspended.get(event.childRunId)?.times ?? 0) + 1, waits: true });
    } else if (event.type === "child.decided" || event.type === "sleep.ended") {
      const id = last.get(event.toolCallId) ?? "";
      const before = suspended.get(id);
      if (before !== undefined) suspended.set(id, { ...before, waits: false });
    }
  }
  return { place, suspended, calls };
}

/** Number of inner runs of one call that are searched: an id is a hash, and does not contain its number. */
const mostRunsInside = 10_000;

/** The id in a fork of a run inside a call; any other run keeps its own. */
export function movedInside(
  hasher: Hasher,
  event: { readonly turn: number; readonly index: number; readonly childRunId: string },
  from: string,
  to: string,
): string {
  const place = callKey(event.turn, event.index);
  for (let n = 1; n <= mostRunsInside; n += 1)
    if (insideRunId(hasher, from, place, n) === event.childRunId) return insideRunId(hasher, to, place, n);
  return event.childRunId;
}
