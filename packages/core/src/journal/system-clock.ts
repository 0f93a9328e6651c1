import type { Clock } from "../contracts/ports/clock.ts";
import { longestDelayMs } from "../errors/longest-delay.ts";

/**
 * The platform's time and timers. Its timers do not keep the process alive, unless they are asked to.
 *
 * @example
 * ```ts
 * import { systemClock } from "@bailiwick/core/extension";
 *
 * const cancel = systemClock.setTimer(() => console.log("a second later"), 1_000);
 * cancel();
 * ```
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(callback, delayMs, options) {
    let timer: ReturnType<typeof setTimeout>;
    const start = (rest: number): void => {
      // A longer delay is waited for in pieces.
      const piece = Math.min(Math.max(rest, 0), longestDelayMs);
      timer = setTimeout(() => (rest > piece ? start(rest - piece) : callback()), piece);
      // Browsers return a number.
      if (typeof timer === "object" && options?.keepAlive !== true) timer.unref();
    };
    start(delayMs);
    return () => clearTimeout(timer);
  },
};
