import type { RunOptions } from "../../contracts/run-options.ts";
import type { RunState } from "../../journal/run-state.ts";
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

/**
 * Refuses to go on without the dependencies that a run was started with: its tools would see nothing in their place.
 *
 * @throws ConfigurationError `DEPENDENCIES_MISSING`
 */
export function checkResumeDependencies(runId: string, state: RunState, dependencies: unknown): void {
  if (dependencies !== undefined || state.start?.withDependencies !== true) return;
  throw new ConfigurationError(
    "DEPENDENCIES_MISSING",
    `Run "${runId}" was started with dependencies, and has none now: its tools would see undefined. They are never stored. Give them again: resume(runId, decisions, { dependencies }), or Agent({ dependencies }) for runs that are recovered.`,
    { runId },
  );
}
