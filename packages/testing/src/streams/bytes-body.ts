/**
 * A body that returns its pieces one by one, as they are read: an error at the end does not affect the pieces before
 * it.
 *
 * @param pieces - Its bytes.
 * @param error - Error after the last piece. Default: none.
 */
export function bytesBody(pieces: readonly Uint8Array[], error?: Error): ReadableStream<Uint8Array> {
  const left = pieces.filter((piece) => piece.length > 0);
  let next = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = left[next];
      next += 1;
      if (piece !== undefined) controller.enqueue(piece);
      else if (error === undefined) controller.close();
      else controller.error(error);
    },
  });
}
