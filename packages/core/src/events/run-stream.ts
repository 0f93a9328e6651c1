import type { RunEvent } from "../contracts/run-event.ts";
import type { RunHandle } from "../contracts/run-handle.ts";
import type { RunOutput } from "../contracts/run-output.ts";
import { BailiwickError } from "../errors/bailiwick-error.ts";
import { deltaTypes } from "./event-table.ts";
import type { RunSink, Tap } from "./event-bus.ts";

/** Number of events that a consumer may be behind before the run waits for it. */
const eventsAhead = 256;

/**
 * The run continues when a consumer is behind by at most this many events; with a limit of one, it would wait after
 * each.
 */
const eventsLeft = eventsAhead / 2;

/** The pull queue behind a run's iterator. */
interface EventQueue {
  readonly tap: Tap;
  readonly iterator: AsyncIterator<RunEvent>;
  /** Ends the stream. A consumer that reads to the end gets the run's error, if there is one. */
  close(failure: { readonly error: unknown } | undefined): void;
  /** A consumer iterates: from now on the run waits for it. */
  attach(): void;
  /** The caller only awaits the result: a full queue must not block the run. */
  release(): void;
}

const isDelta: ReadonlySet<string> = new Set([...deltaTypes, "tool.progress", "tool.partial", "agent.event"]);

function createEventQueue(onDrop: () => void): EventQueue {
  let events: RunEvent[] = [];
  let first = 0;
  let open = true;
  let attached = false;
  let released = false;
  let dropped = 0;
  let failure: { readonly error: unknown } | undefined;
  let reader: ((result: IteratorResult<RunEvent> | Promise<never>) => void) | undefined;
  let writers: (() => void)[] = [];
  const size = (): number => events.length - first;
  const wakeWriters = (): void => {
    const waiting = writers;
    writers = [];
    for (const wake of waiting) wake();
  };
  /** The end of the events: the run's error once, then nothing. */
  const end = (): IteratorResult<RunEvent> | Promise<never> => {
    if (failure === undefined) return { done: true, value: undefined };
    const { error } = failure;
    failure = undefined;
    return Promise.reject(error);
  };
  const isFree = (): boolean => !open || size() < eventsAhead || (released && !attached);
  const shift = (): RunEvent | undefined => {
    const event = events[first];
    if (event === undefined) return undefined;
    first += 1;
    if (first === events.length) {
      events = [];
      first = 0;
    } else if (first > 1_024) {
      events = events.slice(first);
      first = 0;
    }
    if (size() <= eventsLeft) wakeWriters();
    return event;
  };

  return {
    tap: {
      name: "The run's iterator",
      wants: () => open && (attached || !released || size() < eventsAhead),
      take(event: RunEvent): void {
        if (!open) return;
        if (reader !== undefined) {
          const deliver = reader;
          reader = undefined;
          deliver({ done: false, value: event });
          return;
        }
        if (!attached && size() >= eventsAhead && isDelta.has(event.type)) {
          dropped += 1;
          return;
        }
        if (dropped > 0) {
          events.push({ type: "observer.lagging", dropped });
          dropped = 0;
        }
        events.push(event);
      },
      room(): Promise<void> | undefined {
        if (isFree()) return undefined;
        return new Promise((resolve) => writers.push(resolve));
      },
    },
    attach(): void {
      attached = true;
    },
    release(): void {
      released = true;
      if (!attached) wakeWriters();
    },
    close(how): void {
      // A consumer that left gets no error.
      if (open) failure = how;
      open = false;
      wakeWriters();
      reader?.(end());
      reader = undefined;
    },
    iterator: {
      next(): Promise<IteratorResult<RunEvent>> {
        const event = shift();
        if (event !== undefined) return Promise.resolve({ done: false, value: event });
        if (!open) return Promise.resolve(end());
        return new Promise((resolve) => {
          reader = resolve;
        });
      },
      return(): Promise<IteratorResult<RunEvent>> {
        const wasOpen = open;
        open = false;
        failure = undefined;
        events = [];
        first = 0;
        wakeWriters();
        reader?.({ done: true, value: undefined });
        reader = undefined;
        if (wasOpen) onDrop();
        return Promise.resolve({ done: true, value: undefined });
      },
    },
  };
}

/** Options of a stream handle. */
export interface RunStreamOptions {
  readonly sink: RunSink;
  /** The run's id; it may change if an idempotency key finds an earlier run. */
  readonly runId: () => string;
  readonly result: Promise<RunOutput>;
  /** The iterator was dropped before the run was over. */
  readonly onDrop: () => void;
  readonly controls: Pick<RunHandle, "steer" | "followUp" | "abort">;
}

/**
 * Creates the handle of a run: a pull queue over its sink. The run is at most 256 events ahead of the consumer, then
 * waits between model chunks. A caller that only awaits `result` does not block it.
 */
export function createRunStream(options: RunStreamOptions): RunHandle {
  const queue = createEventQueue(options.onDrop);
  const remove = options.sink.add(queue.tap);
  let taken = false;
  const result = options.result;
  result.then(
    () => finish(undefined),
    (error: unknown) => finish({ error }),
  );
  const finish = (failure: { readonly error: unknown } | undefined): void => {
    remove();
    queue.close(failure);
  };

  const iterate = (): AsyncIterator<RunEvent> => {
    if (taken) {
      throw new BailiwickError(
        "STREAM_TAKEN",
        "The events of this run are being read already: a run has one iterator. Use the event bus, onToken, or the journal for more consumers.",
        {
          runId: options.runId(),
        },
      );
    }
    taken = true;
    queue.attach();
    return queue.iterator;
  };

  return {
    get runId(): string {
      return options.runId();
    },
    get result(): Promise<RunOutput> {
      queue.release();
      return result;
    },
    ...options.controls,
    [Symbol.asyncIterator]: iterate,
    toReadableStream(): ReadableStream<RunEvent> {
      const iterator = iterate();
      return new ReadableStream<RunEvent>(
        {
          async pull(controller): Promise<void> {
            try {
              const next = await iterator.next();
              if (next.done === true) controller.close();
              else controller.enqueue(next.value);
            } catch (error) {
              controller.error(error);
            }
          },
          async cancel(): Promise<void> {
            await iterator.return?.();
          },
        },
        { highWaterMark: 0 },
      );
    },
  };
}
