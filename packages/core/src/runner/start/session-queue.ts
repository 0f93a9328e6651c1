import { BailiwickError } from "../../errors/bailiwick-error.ts";

/** Lets one run at a time work on a session. */
export interface SessionQueue {
  /**
   * Waits for the session and returns what gives it back.
   *
   * @throws BailiwickError `SESSION_BUSY` with `refuse` while another run has it.
   */
  enter(sessionId: string, mode: "queue" | "refuse", signal: AbortSignal): Promise<() => void>;
}

/** Makes the queue of one agent. */
export function createSessionQueue(): SessionQueue {
  const tails = new Map<string, Promise<void>>();
  return {
    async enter(sessionId, mode, signal): Promise<() => void> {
      const before = tails.get(sessionId);
      if (before !== undefined && mode === "refuse") {
        throw new BailiwickError(
          "SESSION_BUSY",
          `Another run is working on session "${sessionId}". Wait for it, or set concurrentRuns to "queue".`,
        );
      }
      let leave: () => void = () => undefined;
      const left = new Promise<void>((resolve) => {
        leave = resolve;
      });
      const tail = (before ?? Promise.resolve()).then(() => left);
      tails.set(sessionId, tail);
      const release = (): void => {
        leave();
        if (tails.get(sessionId) === tail) tails.delete(sessionId);
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
