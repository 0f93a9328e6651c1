/** Receives warnings and reports; `console` fits. */
export interface Logger {
  /**
   * Logs details of an adapter, such as a part of an answer that the adapter does not know.
   *
   * @param message - One line of text.
   * @param data - Details as an object, such as ids and durations.
   */
  debug(message: string, data?: unknown): void;
  /**
   * Logs model calls and tool calls of runs with `verbose`, and messages of tools in a sandbox.
   *
   * @param message - One line of text.
   * @param data - Details as an object, such as ids and durations.
   */
  info(message: string, data?: unknown): void;
  /**
   * Something that needs attention, but does not fail the run.
   *
   * @param message - One line of text.
   * @param data - Details as an object, such as ids and durations.
   */
  warn(message: string, data?: unknown): void;
  /**
   * A failure.
   *
   * @param message - One line of text.
   * @param data - Details as an object, such as the error.
   */
  error(message: string, data?: unknown): void;
}
