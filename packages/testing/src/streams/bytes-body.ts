/**
 * A body that gives its pieces one by one, as they are read: an error at the end takes nothing back that was read
 * before it.
 *
 * @param pieces - Its bytes.
 * @param error - What breaks it behind the last piece. Default: it ends.
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
