import type { JournalEvent } from "../../contracts/journal-event.ts";
import type { Signal } from "../../contracts/signal.ts";
import type { Hasher } from "../../contracts/ports/hasher.ts";
import { callKey } from "../../journal/event-keys.ts";

/** A run that a fork has its beginning from. */
export interface ForkOrigin {
  readonly runId: string;
  /** Suffixes that make the ids of its questions new: a fork asks its own questions. */
  readonly salts: readonly string[];
}

/**
 * What a new run is the beginning of. It stands beside the input in the run's row, so that a fork whose process died while
 * it was made is finished by whoever takes it up, and not begun anew from its input.
 */
export interface ForkPlace {
  /** The run that was forked, then what that was a fork of: runs inside calls are where they ran. */
  readonly origins: readonly [ForkOrigin, ...ForkOrigin[]];
  readonly atSeq: number;
  /** When the last record that is taken over was made, in milliseconds since the epoch. */
  readonly at: number;
  /** A message that the new run reads next. */
  readonly message?: Signal | undefined;
}

/** The input of a fork, as it is stored. */
interface ForkInput {
  readonly $fork: ForkPlace;
  readonly input: unknown;
}

/** The input of a run's row that says what it is a fork of. */
export function forkInput(place: ForkPlace, input: unknown): unknown {
  return { $fork: place, input } satisfies ForkInput;
}

/**
 * Takes apart what `forkInput` made; any other input is given back as it is. A message with a member of that name is one
 * that somebody sent: it must not get the records of a run that it names.
 */
export function openForkInput(stored: unknown): { readonly input: unknown; readonly fork: ForkPlace | undefined } {
  if (typeof stored !== "object" || stored === null || !("$fork" in stored) || "role" in stored)
    return { input: stored, fork: undefined };
  const { $fork: fork, input } = stored as ForkInput;
  return { input, fork };
}

/** The place of a fork of a run that may be a fork itself. */
export function forkPlace(
  newId: string,
  source: { readonly runId: string; readonly fork: ForkPlace | undefined },
  at: JournalEvent,
  message: Signal | undefined,
): ForkPlace {
  const before = source.fork?.origins ?? [];
  return {
    origins: [
      { runId: source.runId, salts: [newId] },
      ...before.map(({ runId, salts }) => ({ runId, salts: [...salts, newId] })),
    ],
    atSeq: at.seq,
    at: at.at,
    ...(message !== undefined && { message }),
  };
}

/** The id of the n-th run inside a call: always the same, so that it is found again after a crash. */
export function insideRunId(hasher: Hasher, runId: string, place: string, n: number): string {
  return hasher.sha256(`${runId}/${place}/run${n === 1 ? "" : n}`).slice(0, 32);
}

/** Source of the first records of a run inside a call of a fork. */
export interface InsideOrigin {
  readonly origins: readonly ForkOrigin[];
  /** How it had suspended the call in the records that the fork took over. */
  readonly suspended: Suspended | undefined;
  readonly at: number;
}

/** How a run inside a call has suspended it. */
export interface Suspended {
  readonly times: number;
  /** Nothing was decided since. */
  readonly waits: boolean;
}

/** A run that is a fork, for the runs inside its calls. */
export interface Forked {
  readonly place: ForkPlace;
  /** How each run inside a call had suspended it, by id. */
  readonly suspended: ReadonlyMap<string, Suspended>;
}

/** Facts for the runs inside the calls of a fork, from its place and records; `undefined` for other runs. */
export function forkedRun(place: ForkPlace | undefined, events: readonly JournalEvent[]): Forked | undefined {
  if (place === undefined) return undefined;
  const suspended = new Map<string, Suspended>();
  const last = new Map<string, string>();
  for (const event of events.slice(0, place.atSeq)) {
    if (event.type === "child.suspended") {
      last.set(event.toolCallId, event.childRunId);
      suspended.set(event.childRunId, { times: (suspended.get(event.childRunId)?.times ?? 0) + 1, waits: true });
    } else if (event.type === "child.decided" || event.type === "sleep.ended") {
      const id = last.get(event.toolCallId);
      const before = id === undefined ? undefined : suspended.get(id);
      if (id !== undefined && before !== undefined) suspended.set(id, { times: before.times, waits: false });
    }
  }
  return { place, suspended };
}

/** Runs inside one call that are looked for: an id is a hash, and does not tell its number. */
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
