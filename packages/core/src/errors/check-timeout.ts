import { ConfigurationError } from "./configuration-errors.ts";
import { longestDelayMs } from "./longest-delay.ts";

/**
 * Refuses a time-out that would end every request at once: timers are limited to about 24 days, and treat `Infinity` as
 * 0. Intended for authors of providers.
 *
 * @param given - Milliseconds; `undefined` is the default.
 * @param what - Function that takes the option, for the message: `openai()`.
 * @throws ConfigurationError `INVALID_OPTION`
 * @example
 * ```ts
 * import { checkTimeout } from "@bailiwick/core";
 *
 * checkTimeout(30_000, "ourModel()");
 * ```
 */
export function checkTimeout(given: unknown, what: string): void {
  if (given === undefined) return;
  if (Number.isSafeInteger(given) && (given as number) > 0 && (given as number) <= longestDelayMs) return;
  throw new ConfigurationError(
    "INVALID_OPTION",
    `${what} takes a whole number of milliseconds from 1 to ${longestDelayMs} as "timeoutMs". Leave it out for the default.`,
  );
}
