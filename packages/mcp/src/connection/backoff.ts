import type { ReconnectOptions } from "../options.ts";

/** The delays between attempts. */
export interface Backoff {
  readonly maxAttempts: number;
  /** Delay before the attempt with this number, from 1, in milliseconds; 0 before the first. */
  delayBefore(attempt: number): number;
}

/** Delays that double up to a limit. */
export function backoff({
  initialDelayMs = 500,
  maxDelayMs = 30_000,
  maxAttempts = 4,
}: ReconnectOptions = {}): Backoff {
  return {
    maxAttempts,
    delayBefore: (attempt) =>
      attempt <= 1 ? 0 : Math.min(maxDelayMs, initialDelayMs * 2 ** Math.min(attempt - 2, 40)),
  };
}

/** Waits, and rejects with the signal's reason if it is aborted first. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
