/** Chunks between a socket that pushes and a consumer that pulls; pauses the socket if the consumer falls behind. */
export interface ChunkQueue extends AsyncIterable<Uint8Array> {
  /** Returns `false` if the socket should pause. */
  push(chunk: Uint8Array): boolean;
  end(): void;
  fail(error: unknown): void;
  /** All chunks at once, without an iterator. */
  all(): Promise<Uint8Array[]>;
}

/** Maximum number of waiting bytes before the socket is paused. */
const highWaterMark = 256 * 1024;

/**
 * Makes a queue.
 *
 * @param onDrain - Called when a paused socket may continue.
 * @param onCancel - Called when the reader leaves before the end.
 */
export function chunkQueue(onDrain: () => void, onCancel: () => void): ChunkQueue {
  const chunks: Uint8Array[] = [];
  let waitingBytes = 0;
  let done = false;
  let failure: { readonly error: unknown } | undefined;
  /** The consumer reads everything, so pausing has no benefit. */
  let unbounded = false;
  let wake: (() => void) | undefined;
  const notify = (): void => {
    const resume = wake;
    if (!unbounded) wake = undefined;
    resume?.();
  };
  return {
    push(chunk) {
      chunks.push(chunk);
      waitingBytes += chunk.byteLength;
      if (!unbounded) notify();
      return unbounded || waitingBytes < highWaterMark;
    },
    end() {
      done = true;
      notify();
    },
    fail(error) {
      failure = { error };
      notify();
    },
    all() {
      if (failure !== undefined) return Promise.reject(failure.error);
      if (done) return Promise.resolve(chunks.splice(0));
      unbounded = true;
      if (waitingBytes >= highWaterMark) onDrain();
      return new Promise((resolve, reject) => {
        wake = () => {
          if (failure !== undefined) reject(failure.error);
          else if (done) resolve(chunks.splice(0));
        };
      });
    },
    [Symbol.asyncIterator]() {
      let left = false;
      const taken = async (): Promise<IteratorResult<Uint8Array>> => {
        for (;;) {
          if (left) return { done: true, value: undefined };
          const chunk = chunks.shift();
          if (chunk !== undefined) {
            const wasFull = waitingBytes >= highWaterMark;
            waitingBytes -= chunk.byteLength;
            if (wasFull && waitingBytes < highWaterMark) onDrain();
            return { done: false, value: chunk };
          }
          if (failure !== undefined) throw failure.error;
          if (done) return { done: true, value: undefined };
          await new Promise<void>((resolve) => {
            const earlier = wake;
            wake = () => {
              earlier?.();
              resolve();
            };
          });
        }
      };
      return {
        next: taken,
        // Not a generator: that would answer only after the read that waits for a silent server.
        return() {
          if (!left && !done && failure === undefined) onCancel();
          left = true;
          notify();
          return Promise.resolve({ done: true, value: undefined });
        },
      };
    },
  };
}
