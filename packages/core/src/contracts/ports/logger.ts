/** Receives warnings and reports; `console` fits. */
export interface Logger {
  /** Details of each step, with `verbose`. */
  debug(message: string, data?: unknown): void;
  /** Model calls and tool calls, with `verbose`. */
  info(message: string, data?: unknown): void;
  /** Something that needs attention, but does not fail the run. */
  warn(message: string, data?: unknown): void;
  /** A failure. */
  error(message: string, data?: unknown): void;
}
