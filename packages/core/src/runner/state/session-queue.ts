import { SessionBusyError } from "../../errors/session-errors.ts";
import type { RunControl } from "../limits/run-control.ts";
import type { Owner } from "../../contracts/owner.ts";

/** A session's id, and the owner of the run that uses it. */
export interface SessionIdentity extends Owner {
  readonly sessionId: string;
}

/** Lets one run of an agent at a time work on a session. */
export class SessionQueue {
  readonly #tails = new Map<string, Promise<void>>();

  /**
   * Waits for the session and returns a function that gives it back. The owner is part of the session: the same id under
   * two owners is two sessions.
   *
   * @throws SessionBusyError `SESSION_BUSY` with `refuse` while another run has it.
   */
  async enter(session: SessionIdentity, mode: "queue" | "refuse", control: RunControl): Promise<() => void> {
    const { sessionId, tenantId = null, userId = null } = session;
    const key = JSON.stringify([tenantId, userId, sessionId]);
    const before = this.#tails.get(key);
    if (before !== undefined && mode === "refuse") throw new SessionBusyError(sessionId);
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const tail = (before ?? Promise.resolve()).then(() => left);
    this.#tails.set(key, tail);
    const release = (): void => {
      leave();
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    };
    if (before !== undefined) await before;
    if (control.ending === undefined) return release;
    release();
    throw control.signal.reason;
  }
}
