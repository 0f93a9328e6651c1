import type { Logger } from "../../contracts/ports/logger.ts";
import type { SecretsPort } from "../../contracts/ports/security.ts";
import { safeLogger } from "../../user-code/call-user-code.ts";

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

/** A logger that never fails and gets no known secret, neither in its message nor in its data. */
export function scrubbedLogger(given: Logger, secrets: Pick<SecretsPort, "scrub"> | undefined): Logger {
  const logger = safeLogger(given);
  if (secrets === undefined) return logger;
  const scrubbed =
    (level: keyof Logger) =>
    (message: string, ...data: readonly [unknown?]): void =>
      logger[level](secrets.scrub(message), ...secrets.scrub(data));
  return { debug: scrubbed("debug"), info: scrubbed("info"), warn: scrubbed("warn"), error: scrubbed("error") };
}
