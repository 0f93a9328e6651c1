import { SessionBusyError } from "../../errors/session-errors.ts";
import type { RunControl } from "../limits/run-control.ts";
import type { Owner } from "../../contracts/owner.ts";

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
  enter(session: SessionIdentity, mode: "queue" | "refuse", control: RunControl): Promise<() => void>;
}

/** Makes the queue of one agent. */
export function createSessionQueue(): SessionQueue {
  const tails = new Map<string, Promise<void>>();
  return {
    async enter({ sessionId, tenantId, userId }, mode, control): Promise<() => void> {
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
      if (control.ending !== undefined) {
        release();
        throw control.signal.reason;
      }
      return release;
    },
  };
}
