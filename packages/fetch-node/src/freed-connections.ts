/** Waits for connections that are about to be free, so that the next request takes one of them instead of a new one. */
export interface FreedConnections {
  /** Notes that a response ended. */
  ended(): void;
  /** A promise while a connection is about to be free. */
  ready(): Promise<void> | undefined;
}

/**
 * Undici gives a connection back a turn of the event loop after its response. Whoever asks again in the same turn, as an
 * agent does that has a tool's result at once, would get a new connection, with the handshakes that it takes.
 */
export function freedConnections(): FreedConnections {
  let justEnded = false;
  return {
    ended() {
      if (justEnded) return;
      justEnded = true;
      setImmediate(() => {
        justEnded = false;
      });
    },
    // Undici asked for its turn when it told of the end: this one comes after it.
    ready: () => (justEnded ? new Promise((resolve) => setImmediate(resolve)) : undefined),
  };
}
