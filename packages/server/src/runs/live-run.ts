import type { RunEvent, RunHandle } from "@bailiwick/core";
import { createEventReader, type EventReader, type PlacedEvent } from "./event-reader.ts";

/**
 * Maximum number of live events kept for clients that connect in the middle of a turn; beyond it they get the turn when
 * it is complete.
 */
const eventsKept = 10_000;

/** A run that this process drives, with any number of clients. */
export interface LiveRun {
  readonly runId: string;
  /** Settles when this process no longer drives the run; never rejects. */
  readonly over: Promise<void>;
  /** A client that begins with the shown part of the open turn. */
  read(): EventReader;
}

/** A live run, and a promise that tells if it began. */
export interface StartedRun {
  readonly live: LiveRun;
  /** Resolves with the first event; rejects if the run could not begin, and then nothing happened. */
  readonly begun: Promise<void>;
}

/**
 * Sends the events of a run's only iterator to many clients. A slow or disconnected client does not affect the run or
 * other clients.
 *
 * @param handle - Handle of a detached run.
 */
export function shareRun(handle: RunHandle): StartedRun {
  const readers = new Set<EventReader>();
  let kept: PlacedEvent[] = [];
  let seq = 0;
  let open = true;

  const take = (event: RunEvent): void => {
    if ("seq" in event) {
      ({ seq } = event);
      if (event.type === "model.intent") kept = [];
    }
    if (kept.length >= eventsKept) kept = kept.filter((placed) => "seq" in placed.event);
    const placed = { event, after: seq };
    kept.push(placed);
    for (const reader of readers) reader.push(placed);
  };

  let resolve = (): void => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const begun = new Promise<void>((onBegun, onRefused) => {
    resolve = onBegun;
    reject = onRefused;
  });
  const pull = async (): Promise<void> => {
    let any = false;
    try {
      for await (const event of handle) {
        take(event);
        if (!any) resolve();
        any = true;
      }
      resolve();
    } catch (error) {
      // Later errors are in the journal, where clients find them.
      if (any) resolve();
      else reject(error);
    } finally {
      open = false;
      for (const reader of readers) reader.close();
      readers.clear();
    }
  };
  const over = pull();
  begun.catch(() => undefined);

  return {
    begun,
    live: {
      get runId(): string {
        return handle.runId;
      },
      over,
      read(): EventReader {
        const reader = createEventReader(kept, () => readers.delete(reader));
        if (open) readers.add(reader);
        else reader.close();
        return reader;
      },
    },
  };
}
