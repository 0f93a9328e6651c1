import type { Readable } from "node:stream";

/**
 * Reads a stream at once and keeps the unread bytes, up to a limit; beyond it, the oldest are dropped. The stream's
 * writer never waits.
 *
 * @param stream - Read to its end.
 * @param bound - In bytes.
 */
export function lastBytes(stream: Readable, bound: number): AsyncIterable<Uint8Array> {
  let kept: Uint8Array[] = [];
  let size = 0;
  let isOver = false;
  let wake: () => void = () => undefined;
  stream.on("data", (piece: Uint8Array) => {
    kept.push(piece);
    size += piece.length;
    while (size > bound && kept.length > 1) size -= kept.shift()?.length ?? 0;
    wake();
  });
  const end = (): void => {
    isOver = true;
    wake();
  };
  stream.on("close", end);
  stream.on("error", end);
  return {
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const pieces = kept;
        kept = [];
        size = 0;
        yield* pieces;
        if (kept.length > 0) continue;
        if (isOver) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
