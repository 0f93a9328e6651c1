/** Error as data, in events and outputs. */
export interface ErrorData {
  /** Name of the error's class. */
  readonly name: string;
  /** Stable code, such as `RUN_BUSY`. */
  readonly code: string;
  /** A sentence that says what happened and what to do. */
  readonly message: string;
  /** True if the same call may succeed later without a change; set for each error of the framework. */
  readonly retryable?: boolean | undefined;
  /** The cause of this error, its cause, and so on, four deep. */
  readonly cause?: ErrorData | undefined;
  /** The members of an `AggregateError`. */
  readonly errors?: readonly ErrorData[] | undefined;
}
