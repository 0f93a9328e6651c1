import type { Clock } from "../../contracts/ports/clock.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import type { RunSettings } from "../../contracts/run-options.ts";

/** First and longest pause between two looks at a session that another process works on, in milliseconds. */
const firstPauseMs = 25;
const longestPauseMs = 500;

/** Tells whether a session is driven by another run, whichever copy of the framework throws it. */
export function isSessionBusy(error: unknown): boolean {
  return BailiwickError.isInstance(error) && error.code === "SESSION_BUSY";
}

/**
 * Takes a lease that needs the session, again until the session is free.
 *
 * @param mode - With `refuse`, the first refusal is thrown.
 * @param signal - Ends the wait with its reason.
 * @throws SessionBusyError with `refuse` while another run of the session is driven.
 */
export async function whenSessionFree<Result>(
  {
    clock,
    mode,
    signal,
  }: { readonly clock: Clock; readonly mode: RunSettings["concurrentRuns"]; readonly signal: AbortSignal },
  take: () => Promise<Result>,
): Promise<Result> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await take();
    } catch (error) {
      if (mode === "refuse" || !isSessionBusy(error)) throw error;
    }
    await pause(clock, pauseMs, signal);
    if (signal.aborted) throw signal.reason;
  }
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.setTimer(done, ms, { keepAlive: true });
    function done(): void {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}
