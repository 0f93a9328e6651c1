import type { RunOptions } from "../../contracts/run-options.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";

/** What a run has from its beginning: its journal says it, and a second word could only be ignored. */
const fixedAtStart = ["messages", "conversationHistory", "idempotencyKey"] as const;

/**
 * Refuses options that a run can only be started with.
 *
 * @throws ConfigurationError `INVALID_OPTION` naming the option.
 */
export function checkResumeOptions(runId: string, options: RunOptions): void {
  const given = fixedAtStart.find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw new ConfigurationError(
    "INVALID_OPTION",
    `"${given}" was given to resume run "${runId}", which has its conversation and its key from its start. Leave it out; new input goes in with steer().`,
    { runId },
  );
}
