/** Receives warnings and reports; `console` fits. */
export interface Logger {
  /**
   * Details of each step, with `verbose`.
   *
   * @param message - One line of text.
   * @param data - Details as an object, such as ids and durations.
   */
  debug(message: string, data?: unknown): void;
  /**
   * Model calls and tool calls, with `verbose`.
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
