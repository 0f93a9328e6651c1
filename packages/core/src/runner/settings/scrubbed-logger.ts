import type { Logger } from "../../contracts/ports/logger.ts";
import type { SecretsPort } from "../../contracts/ports/security.ts";

/** A logger that is told no known secret: neither in its message nor in what comes with it. */
export function scrubbedLogger(logger: Logger, secrets: Pick<SecretsPort, "scrub"> | undefined): Logger {
  if (secrets === undefined) return logger;
  const scrubbed =
    (level: keyof Logger) =>
    (message: string, ...data: readonly [unknown?]): void =>
      logger[level](secrets.scrub(message), ...secrets.scrub(data));
  return { debug: scrubbed("debug"), info: scrubbed("info"), warn: scrubbed("warn"), error: scrubbed("error") };
}
