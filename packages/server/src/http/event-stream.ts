import type { RunEvent } from "@bailiwick/core";

/** Headers of a stream of server-sent events. */
export const eventStreamHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** Time between comments that keep idle connections open, in milliseconds. */
const keepAliveMs = 15_000;

/** Options of a stream of server-sent events. */
export interface EventStreamOptions {
  readonly events: AsyncIterable<RunEvent>;
  /** Converts an event to the frames to send. */
  readonly push: (event: RunEvent) => readonly object[];
  /** Returns the last frames. */
  readonly end: () => readonly object[];
  /** A line after that, if the protocol has one. */
  readonly closing?: string | undefined;
  /** Called when the client disconnects. */
  readonly onLeave: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Sends a run as server-sent events. The client pulls: events are encoded on demand.
 *
 * @param options - The events, and their conversion.
 */
export function eventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const iterator = options.events[Symbol.asyncIterator]();
  const text = new TextEncoder();
  let keepAlive: ReturnType<typeof setInterval> | undefined;
  let hasLeft = false;
  const stop = (): void => clearInterval(keepAlive);
  const lines = (chunks: readonly object[]): string =>
    chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");

  return new ReadableStream<Uint8Array>(
    {
      start(controller): void {
        keepAlive = setInterval(() => {
          if ((controller.desiredSize ?? 0) >= 0) controller.enqueue(text.encode(": alive\n\n"));
        }, keepAliveMs);
      },
      async pull(controller): Promise<void> {
        try {
          for (;;) {
            const next = await iterator.next();
            // A client that disconnected while waiting for the next event has closed the stream.
            if (hasLeft) return;
            if (next.done === true) {
              stop();
              controller.enqueue(text.encode(lines(options.end()) + (options.closing ?? "")));
              controller.close();
              return;
            }
            const chunks = options.push(next.value);
            if (chunks.length === 0) continue;
            controller.enqueue(text.encode(lines(chunks)));
            return;
          }
        } catch (error) {
          stop();
          options.onError(error);
          if (!hasLeft) controller.error(error);
        }
      },
      cancel(): void {
        hasLeft = true;
        stop();
        options.onLeave();
        void iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
