import { BailiwickError } from "@bailiwick/core";

/** Codes of errors of a simulation. */
export type SimulationErrorCode =
  | "SIMULATION_EMPTY"
  | "SIMULATION_LATE"
  | "SIMULATION_ESCAPE"
  | "HISTORY_INVALID"
  | "NOT_REPEATABLE";

/** A simulation that cannot be played, or whose result cannot be trusted. */
export class SimulationError extends BailiwickError {
  /**
   * @param code - The reason.
   * @param message - What happened, where, and what to do.
   * @param options - `cause` is the error behind this one.
   */
  constructor(code: SimulationErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(code, message, options);
  }
}
