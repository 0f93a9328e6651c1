/** Chunks between a socket that pushes and a reader that pulls; pauses the socket when the reader falls behind. */
export interface ChunkQueue extends AsyncIterable<Uint8Array> {
  /** Returns `false` when the socket should pause. */
  push(chunk: Uint8Array): boolean;
  end(): void;
  fail(error: unknown): void;
}

/** Bytes that may wait before the socket is paused. */
const highWaterMark = 256 * 1024;

/**
 * Makes a queue.
 *
 * @param onDrain - Called when a paused socket may go on.
 * @param onCancel - Called when the reader leaves before the end.
 */
export function chunkQueue(onDrain: () => void, onCancel: () => void): ChunkQueue {
  const chunks: Uint8Array[] = [];
  let waitingBytes = 0;
  let done = false;
  let failure: { readonly error: unknown } | undefined;
  let wake: (() => void) | undefined;
  const notify = (): void => {
    const resume = wake;
    wake = undefined;
    resume?.();
  };
  return {
    push(chunk) {
      chunks.push(chunk);
      waitingBytes += chunk.byteLength;
      notify();
      return waitingBytes < highWaterMark;
    },
    end() {
      done = true;
      notify();
    },
    fail(error) {
      failure = { error };
      notify();
    },
    async *[Symbol.asyncIterator]() {
      let finished = false;
      try {
        for (;;) {
          const chunk = chunks.shift();
          if (chunk !== undefined) {
            const wasFull = waitingBytes >= highWaterMark;
            waitingBytes -= chunk.byteLength;
            if (wasFull && waitingBytes < highWaterMark) onDrain();
            yield chunk;
          } else if (failure !== undefined) {
            finished = true;
            throw failure.error;
          } else if (done) {
            finished = true;
            return;
          } else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        }
      } finally {
        if (!finished) onCancel();
      }
    },
  };
}
