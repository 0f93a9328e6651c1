/** Number and timing of attempts. */
export interface RetryConfig {
  /** Retries after the first attempt; default 3. */
  readonly maxRetries?: number | undefined;
  /** First delay in milliseconds; default 500. Doubled each time, with jitter. */
  readonly initialDelayMs?: number | undefined;
  /** Longest delay in milliseconds; default 10,000. If a vendor demands more, the call fails at once. */
  readonly maxDelayMs?: number | undefined;
  /** Replaces the built-in rule for which errors are retried. */
  readonly retryableErrors?: ((error: unknown) => boolean) | undefined;
}

/** Retries of a tool's execute stage; only for `pure`, `read-only` or idempotency-keyed tools. */
export interface ToolRetryConfig {
  /** Total number of attempts, including the first. */
  readonly maxAttempts: number;
  /** First delay in milliseconds. */
  readonly initialDelayMs: number;
  /** Longest delay in milliseconds; default 10,000. */
  readonly maxDelayMs?: number | undefined;
}
