import type { UIMessageChunk } from "ai";

/** The stream of a run, and its id. */
export interface RunStream {
  readonly stream: ReadableStream<UIMessageChunk>;
  /** Resolves with the run's id, or with `undefined` if the stream ended before it began. */
  readonly runId: Promise<string | undefined>;
  /** Reads only up to the run's id, then closes the connection. */
  leave(): void;
}

/**
 * Passes a stream on, and finds the id of its run in it: the first chunk names the message, which has the run's id.
 *
 * @param source - The stream of the response.
 */
export function watchStream(source: ReadableStream<UIMessageChunk>): RunStream {
  const reader = source.getReader();
  let found: (runId: string | undefined) => void = () => undefined;
  const runId = new Promise<string | undefined>((resolve) => (found = resolve));
  let isKnown = false;
  let hasLeft = false;
  const take = (chunk: UIMessageChunk | undefined): void => {
    if (chunk !== undefined && chunk.type !== "start") return;
    isKnown = true;
    found(chunk?.messageId);
  };
  const drain = async (): Promise<void> => {
    try {
      while (!isKnown) {
        const { done, value } = await reader.read();
        if (done || value.type === "start") take(value);
      }
      await reader.cancel();
    } catch {
      // The connection broke: there is nothing to cancel.
      take(undefined);
    }
  };
  const leave = (): void => {
    if (hasLeft) return;
    hasLeft = true;
    void drain();
  };
  const stream = new ReadableStream<UIMessageChunk>(
    {
      async pull(controller): Promise<void> {
        try {
          const { done, value } = await reader.read();
          take(done ? undefined : value);
          if (hasLeft) return;
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          take(undefined);
          if (!hasLeft) controller.error(error);
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
  return { stream, runId, leave };
}
