import type { ReconnectionScheduler } from "@modelcontextprotocol/client";
import type { Backoff } from "./backoff.ts";

/** Decides when a stream of a server's own messages is opened again. */
export interface StreamReconnection {
  readonly schedule: ReconnectionScheduler;
  /** A message came: the server means its stream, and the delays begin anew. */
  heard(): void;
  /** Attempts since a message came last. */
  readonly attempts: number;
}

/**
 * A server that opens its stream and ends it at once would be asked without end: each opening looks like a success. What
 * counts as one here is a message.
 *
 * @param setTimer - Calls back after a time, and returns what forgets it.
 */
export function streamReconnection(
  { maxAttempts, delayBefore }: Backoff,
  setTimer: (callback: () => void, ms: number) => () => void = realTimer,
): StreamReconnection {
  let attempts = 0;
  return {
    schedule: (reconnect) => {
      if (attempts >= maxAttempts) return () => undefined;
      attempts += 1;
      // The stream was open already, so that each of these is a further attempt.
      return setTimer(reconnect, delayBefore(attempts + 1));
    },
    heard: () => {
      attempts = 0;
    },
    get attempts() {
      return attempts;
    },
  };
}

function realTimer(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
