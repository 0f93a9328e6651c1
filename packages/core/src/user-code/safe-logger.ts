import type { Logger } from "../contracts/ports/logger.ts";
import { isThenable } from "./thenable.ts";

/** Loggers that are safe already, and the safe one of each other. */
const known = new WeakMap<Logger, Logger>();

/**
 * A logger that never fails: what the given one throws or rejects with is dropped, because a log line must not decide
 * about a run.
 */
export function safeLogger(logger: Logger): Logger {
  const made = known.get(logger);
  if (made !== undefined) return made;
  const level =
    (name: keyof Logger) =>
    (message: string, ...data: readonly [unknown?]): void => {
      try {
        const returned: unknown = logger[name](message, ...data);
        if (isThenable(returned)) Promise.resolve(returned).then(undefined, () => undefined);
      } catch {
        // Nowhere is left to report it.
      }
    };
  const safe: Logger = { debug: level("debug"), info: level("info"), warn: level("warn"), error: level("error") };
  known.set(logger, safe);
  known.set(safe, safe);
  return safe;
}
