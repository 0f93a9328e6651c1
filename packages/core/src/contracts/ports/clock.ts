/** Source of time and timers. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once; returns a function that cancels. Must not keep the process alive where the platform allows. */
  setTimer(callback: () => void, delayMs: number): () => void;
}
