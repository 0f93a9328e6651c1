import type { RunEvent } from "@bailiwick/core";

/** An event with its position: the last journal event up to and including it. */
export interface PlacedEvent {
  readonly event: RunEvent;
  readonly after: number;
}

/** One client of a live run. */
export interface EventReader extends AsyncIterable<PlacedEvent> {
  push(placed: PlacedEvent): void;
  /** No more data will arrive; buffered data is still read. */
  close(): void;
}

/**
 * Maximum number of waiting events of a client; beyond it, live events are dropped, because the journal has them later.
 */
const eventsWaiting = 10_000;

/**
 * Makes a client's queue.
 *
 * @param first - First events.
 * @param onLeave - Called when the reader leaves.
 */
export function createEventReader(first: readonly PlacedEvent[], onLeave: () => void): EventReader {
  let waiting: PlacedEvent[] = [...first];
  let open = true;
  let wake: (() => void) | undefined;
  const rouse = (): void => {
    wake?.();
    wake = undefined;
  };
  return {
    push(placed): void {
      if (waiting.length >= eventsWaiting) waiting = waiting.filter(({ event }) => "seq" in event);
      waiting.push(placed);
      rouse();
    },
    close(): void {
      open = false;
      rouse();
    },
    async *[Symbol.asyncIterator](): AsyncGenerator<PlacedEvent> {
      try {
        for (;;) {
          const batch = waiting;
          waiting = [];
          yield* batch;
          if (batch.length > 0) continue;
          if (!open) return;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        onLeave();
      }
    },
  };
}
