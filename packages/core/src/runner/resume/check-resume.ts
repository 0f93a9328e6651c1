import type { RunStore } from "../../contracts/ports/run-store.ts";
import type { RunOptions } from "../../contracts/run-options.ts";
import type { RunState } from "../../journal/run-state.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { RunNotFoundError } from "../../errors/run-errors.ts";

/** What a run has from its beginning: its journal says it, and a second word could only be ignored. */
const fixedAtStart = ["messages", "conversationHistory", "idempotencyKey", "metadata", "deadlineAt"] as const;

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
    `"${given}" was given to resume run "${runId}", which has its own from its start. Leave it out; new input goes in with steer().`,
    { runId },
  );
}

/**
 * Refuses to resume a run for somebody whose it is not: `tenantId`, `userId` and `sessionId` say whose run the caller
 * means, and a run keeps its own for good.
 *
 * @throws RunNotFoundError for a run of another tenant, as for one that is not there.
 * @throws ConfigurationError `INVALID_OPTION` for another user or session of the same tenant.
 */
export async function checkResumeIdentity(store: RunStore, runId: string, options: RunOptions): Promise<void> {
  const { tenantId, userId, sessionId } = options;
  if (tenantId === undefined && userId === undefined && sessionId === undefined) return;
  const run = await store.getRun(runId);
  if (run === undefined || (tenantId !== undefined && (run.tenantId ?? undefined) !== tenantId))
    throw new RunNotFoundError(runId, store.name);
  const name = sessionId !== undefined && run.sessionId !== sessionId ? "sessionId" : "userId";
  if (name === "userId" && (userId === undefined || (run.userId ?? undefined) === userId)) return;
  throw new ConfigurationError(
    "INVALID_OPTION",
    `"${name}" was given to resume run "${runId}", and is not the one that the run was started with: a run keeps whose it is. Leave it out, or resume the run that you mean.`,
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
