import { AgentRequestError } from "./agent-client.ts";

/** Time that the server has for its first answer; each further attempt has twice the time, up to the maximum. */
const firstLimitMs = 10_000;
const longestLimitMs = 80_000;

/** Pause after the first failed attempt; each further pause has twice the time, up to the maximum. */
const firstPauseMs = 250;
const longestPauseMs = 10_000;

/** Options of `untilAnswered`. */
interface Attempts {
  /** No attempt begins after it is aborted. */
  readonly signal: AbortSignal;
  /** Called with each failure after which the request is sent again. */
  readonly onFailure?: (error: Error) => void;
}

/**
 * Sends a request that reads until the server answers it. A request that is lost, is not answered in time, or meets a
 * server that is away, is sent again after a pause. A refusal rejects at once.
 *
 * @param ask - Sends the request; its signal ends an attempt that takes too long.
 * @param options - The signal that ends the attempts, and a listener.
 */
export async function untilAnswered<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  { signal, onFailure }: Attempts,
): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new Error("The server did not answer in time.")),
      Math.min(longestLimitMs, firstLimitMs * 2 ** attempt),
    );
    try {
      return await ask(limit.signal);
    } catch (failure) {
      if (signal.aborted || !mayPass(failure)) throw failure;
      onFailure?.(failure as Error);
    } finally {
      clearTimeout(timer);
    }
    await pause(pauseAfter(attempt), signal);
  }
}

/**
 * Pause before the next attempt. A random part keeps the pages of a server that was away from coming back at once.
 *
 * @param attempt - Number of failed attempts before this one.
 */
export function pauseAfter(attempt: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** attempt) * (0.5 + Math.random() / 2);
}

/** True for a lost request and for a server that is away or busy; false for a refusal. */
function mayPass(error: unknown): boolean {
  return !(error instanceof AgentRequestError) || error.status >= 500 || [408, 425, 429].includes(error.status);
}

/** Resolves after a time; rejects if the signal is aborted before. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
