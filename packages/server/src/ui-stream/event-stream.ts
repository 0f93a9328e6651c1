import type { RunEvent } from "@bailiwick/core";
import type { UiEncoder } from "./ui-encoder.ts";
import type { UiChunk } from "./ui-chunk.ts";

/** Headers of a UI message stream. */
export const uiStreamHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
  "x-vercel-ai-ui-message-stream": "v1",
};

/** Time between comments that keep idle connections open, in milliseconds. */
const keepAliveMs = 15_000;

/** What a stream of server-sent events is made of. */
export interface EventStreamOptions {
  readonly events: AsyncIterable<RunEvent>;
  readonly encoder: UiEncoder;
  /** The reader knows the message up to this record: only its beginning and what came later are sent. */
  readonly afterSeq?: number | undefined;
  /** Called when the reader leaves. */
  readonly onLeave: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Sends a run as server-sent events. The reader pulls: nothing is encoded ahead of it.
 *
 * @param options - The events and their encoder.
 */
export function uiEventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { encoder, afterSeq = 0 } = options;
  const iterator = options.events[Symbol.asyncIterator]();
  const text = new TextEncoder();
  let keepAlive: ReturnType<typeof setInterval> | undefined;
  let hasLeft = false;
  const stop = (): void => clearInterval(keepAlive);
  const lines = (chunks: readonly UiChunk[]): string =>
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
            // Who left while the next event was waited for has closed the stream.
            if (hasLeft) return;
            if (next.done === true) {
              stop();
              controller.enqueue(text.encode(`${lines(encoder.end())}data: [DONE]\n\n`));
              controller.close();
              return;
            }
            const event = next.value;
            const isNew = !("seq" in event) || event.seq > afterSeq;
            const chunks = encoder.push(event).filter(({ type }) => isNew || type === "start");
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
