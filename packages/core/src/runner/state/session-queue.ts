import { SessionBusyError } from "../../errors/session-errors.ts";
import type { Owner } from "../../contracts/owner.ts";
import type { Clock } from "../../contracts/ports/clock.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import type { RunSettings } from "../../contracts/run-options.ts";

/** A session's id, and the owner of the run that uses it. */
export interface SessionIdentity extends Owner {
  readonly sessionId: string;
}

/** Lets one run at a time work on a session. */
export interface SessionQueue {
  /**
   * Waits for the session and returns a function that gives it back. The owner is part of the session: the same id under
   * two owners is two sessions.
   *
   * @throws SessionBusyError `SESSION_BUSY` with `refuse` while another run has it.
   */
  enter(session: SessionIdentity, mode: "queue" | "refuse", signal: AbortSignal): Promise<() => void>;
}

/** Makes the queue of one agent. */
export function createSessionQueue(): SessionQueue {
  const tails = new Map<string, Promise<void>>();
  return {
    async enter({ sessionId, tenantId, userId }, mode, signal): Promise<() => void> {
      const key = JSON.stringify([tenantId ?? null, userId ?? null, sessionId]);
      const before = tails.get(key);
      if (before !== undefined && mode === "refuse") {
        throw new SessionBusyError(sessionId);
      }
      let leave: () => void = () => undefined;
      const left = new Promise<void>((resolve) => {
        leave = resolve;
      });
      const tail = (before ?? Promise.resolve()).then(() => left);
      tails.set(key, tail);
      const release = (): void => {
        leave();
        if (tails.get(key) === tail) tails.delete(key);
      };
      if (before !== undefined) await before;
      if (signal.aborted) {
        release();
        throw signal.reason;
      }
      return release;
    },
  };
}

/** First and longest pause between two looks at a session that another process works on, in milliseconds. */
const firstPauseMs = 25;
const longestPauseMs = 500;

/** Tells whether a session is driven by another run, whichever copy of the framework throws it. */
function isSessionBusy(error: unknown): boolean {
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
