import { SessionBusyError } from "../../errors/session-errors.ts";
import type { Clock } from "../../contracts/ports/clock.ts";
import type { Logger } from "../../contracts/ports/logger.ts";
import type { RunControl } from "../limits/run-control.ts";
import type { Owner } from "../../contracts/owner.ts";
import { heldByOuterRun } from "./driving-runs.ts";

/** A session's id, and the owner of the run that uses it. */
export interface SessionIdentity extends Owner {
  readonly sessionId: string;
}

/** A run that wants a session. */
export interface SessionWaiter {
  readonly runId: string;
  readonly control: RunControl;
  readonly clock: Clock;
  readonly logger: Logger;
  /** `refuse`: it does not wait. */
  readonly mode: "queue" | "refuse";
  /** The runs inside which it is started: it cannot wait for them. */
  readonly inside: ReadonlySet<string>;
}

/** Time after which a wait for a session is logged, in milliseconds. */
export const longWaitMs = 1_000;

/** The line that is logged for a long wait. */
export function longWaitText(runId: string, sessionId: string, holder: string | undefined): string {
  return `Run ${runId} waits for session "${sessionId}", which ${holder === undefined ? "another run" : `run ${holder}`} holds.`;
}

interface Line {
  tail: Promise<void>;
  /** The run that has the session, then those that wait. */
  readonly runs: { readonly runId: string }[];
}

/** Lets one run of an agent at a time work on a session. */
export class SessionQueue {
  readonly #lines = new Map<string, Line>();

  /**
   * Waits for the session and returns a function that gives it back. The owner is part of the session: the same id under
   * two owners is two sessions.
   *
   * @throws SessionBusyError `SESSION_BUSY` with `refuse` while another run has it.
   * @throws BailiwickError `SESSION_OF_CALLER` if a run around this one has it.
   */
  async enter(session: SessionIdentity, waiter: SessionWaiter): Promise<() => void> {
    const { sessionId, tenantId = null, userId = null } = session;
    const { mode, control, inside } = waiter;
    const key = JSON.stringify([tenantId, userId, sessionId]);
    const line = this.#lines.get(key) ?? { tail: Promise.resolve(), runs: [] };
    const holder = line.runs.find(({ runId }) => inside.has(runId));
    if (holder !== undefined) throw heldByOuterRun(sessionId, holder.runId);
    const isFree = line.runs.length === 0;
    if (!isFree && mode === "refuse") throw new SessionBusyError(sessionId);
    const { tail: before } = line;
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    line.tail = before.then(() => left);
    line.runs.push(waiter);
    this.#lines.set(key, line);
    const release = (): void => {
      leave();
      const place = line.runs.indexOf(waiter);
      if (place >= 0) line.runs.splice(place, 1);
      if (line.runs.length === 0 && this.#lines.get(key) === line) this.#lines.delete(key);
    };
    if (!isFree) await this.#wait(before, sessionId, line, waiter);
    if (control.ending === undefined) return release;
    release();
    throw control.signal.reason;
  }

  async #wait(before: Promise<void>, sessionId: string, line: Line, waiter: SessionWaiter): Promise<void> {
    const { runId, clock, logger } = waiter;
    const cancelTimer = clock.setTimer(
      () => logger.warn(longWaitText(runId, sessionId, line.runs[0]?.runId)),
      longWaitMs,
    );
    await before;
    cancelTimer();
  }
}
