/** Source of time and timers. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Calls back once; returns a function that cancels. Does not keep the process alive where the platform allows,
   * unless `keepAlive` is set: a run that sleeps before a retry must not end the process.
   */
  setTimer(callback: () => void, delayMs: number, options?: { readonly keepAlive?: boolean | undefined }): () => void;
}
