import type { UIMessageChunk } from "ai";
import { ResumableCutError, StreamCutError } from "./stream-cut.ts";

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
 * @param resumed - Set for a stream that was resumed, with its run if the page knows it.
 */
export function watchStream(
  source: ReadableStream<UIMessageChunk>,
  resumed?: { readonly runId: string | undefined },
): RunStream {
  const reader = source.getReader();
  let found: (runId: string | undefined) => void = () => undefined;
  const runId = new Promise<string | undefined>((resolve) => (found = resolve));
  let named = resumed?.runId;
  let isKnown = false;
  let hasLeft = false;
  const take = (chunk: UIMessageChunk | undefined): void => {
    if (chunk !== undefined && chunk.type !== "start") return;
    isKnown = true;
    named = chunk?.messageId ?? named;
    found(named);
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
          if (hasLeft) return;
          const isCut = error instanceof StreamCutError && (named !== undefined || resumed !== undefined);
          controller.error(isCut ? new ResumableCutError(named, { cause: error }) : error);
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
  return { stream, runId, leave };
}
