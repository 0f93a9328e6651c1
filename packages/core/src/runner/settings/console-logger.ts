import type { Logger } from "../../contracts/ports/logger.ts";

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
