/** Counts the clients of runs, to notice when the last one disconnects. */
export interface ReaderCount {
  /**
   * Adds a client to the count.
   *
   * @returns a function to call when the client has disconnected: with `true` when the stream was complete.
   */
  enter(runId: string): (isComplete: boolean) => void;
}

/**
 * Makes a count.
 *
 * @param onLast - Called when the last client of a run disconnected before its stream was complete.
 */
export function countReaders(onLast: (runId: string) => void): ReaderCount {
  const readers = new Map<string, number>();
  return {
    enter(runId): (isComplete: boolean) => void {
      readers.set(runId, (readers.get(runId) ?? 0) + 1);
      let isGone = false;
      return (isComplete): void => {
        if (isGone) return;
        isGone = true;
        const left = (readers.get(runId) ?? 1) - 1;
        if (left > 0) return void readers.set(runId, left);
        readers.delete(runId);
        if (!isComplete) onLast(runId);
      };
    },
  };
}
