/** Source of time and timers. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Calls back once; returns a function that cancels. If the platform allows it, the timer does not keep the process
   * alive, unless `keepAlive` is set: a run that waits for a retry must.
   *
   * @param callback - Called once, unless the timer is cancelled before.
   * @param delayMs - Time until the call, in milliseconds.
   * @param options - `keepAlive: true` keeps the process alive until the call. Default `false`.
   */
  setTimer(callback: () => void, delayMs: number, options?: { readonly keepAlive?: boolean | undefined }): () => void;
}
