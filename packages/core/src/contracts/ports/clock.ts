/** Source of time and timers. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Calls back once; returns a function that cancels. If the platform allows it, the timer does not keep the process
   * alive, unless `keepAlive` is set: a run that waits for a retry must.
   */
  setTimer(callback: () => void, delayMs: number, options?: { readonly keepAlive?: boolean | undefined }): () => void;
}
