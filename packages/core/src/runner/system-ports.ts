import type { Clock } from "../contracts/ports/clock.ts";
import type { Ids } from "../contracts/ports/ids.ts";
import type { Logger } from "../contracts/ports/logger.ts";

interface PlatformTimer {
  unref?(): void;
}

/**
 * The platform's clock; its timers do not keep a process alive.
 *
 * @example
 * ```ts
 * import { systemClock } from "@bailiwick/core";
 *
 * const cancel = systemClock.setTimer(() => console.log("late"), 1_000);
 * cancel();
 * ```
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(callback: () => void, delayMs: number, options?: { readonly keepAlive?: boolean | undefined }): () => void {
    // Longer delays overflow the platform's 32-bit timers and would fire at once.
    const timer = setTimeout(callback, Math.min(delayMs, 2_147_483_647));
    if (options?.keepAlive !== true) (timer as unknown as PlatformTimer).unref?.();
    return () => clearTimeout(timer);
  },
};

/**
 * Ids as random UUIDs.
 *
 * @example
 * ```ts
 * import { randomIds } from "@bailiwick/core";
 *
 * console.log(randomIds.next("run"));
 * ```
 */
export const randomIds: Ids = { next: () => globalThis.crypto.randomUUID() };

/**
 * The console as a logger, `debug` left out.
 *
 * @example
 * ```ts
 * import { consoleLogger } from "@bailiwick/core";
 *
 * consoleLogger.warn("Look here", { detail: 1 });
 * ```
 */
export const consoleLogger: Logger = {
  debug: () => undefined,
  info: (message, data) => (data === undefined ? console.info(message) : console.info(message, data)),
  warn: (message, data) => (data === undefined ? console.warn(message) : console.warn(message, data)),
  error: (message, data) => (data === undefined ? console.error(message) : console.error(message, data)),
};
