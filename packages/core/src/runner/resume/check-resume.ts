import type { RunStore } from "../../contracts/ports/run-store.ts";
import type { RunOptions } from "../../contracts/run-options.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { RunError, RunNotFoundError } from "../../errors/run-errors.ts";
import { id } from "../../errors/id-check.ts";
import { checkValue } from "../settings/check-settings.ts";
import { checkRunId, type LoadedRun } from "../start/load-run.ts";
import { hasCallerModel } from "../settings/kept-part.ts";
import type { QueuedOptions } from "../start/run-input.ts";

/**
 * Options of `resume`.
 *
 * @example
 * ```ts
 * import type { Agent } from "@bailiwick/agent";
 *
 * export async function approveAll(clerk: Agent, runId: string): Promise<string> {
 *   const open = await clerk.interruptions(runId);
 *   const decisions = open.map((interruption) => interruption.approve({ decidedBy: "ana" }));
 *   const { status } = await clerk.resume(runId, decisions, { signal: AbortSignal.timeout(60_000) });
 *   return status;
 * }
 * ```
 */
export interface ResumeOptions<Structured = unknown, Dependencies = unknown> extends RunOptions<
  Structured,
  Dependencies
> {
  /**
   * The process that drove the run is known to be gone, for example to an engine or a supervisor: its lease is replaced
   * before it expires. If the process is still alive, it can no longer write. Default `false`.
   */
  readonly formerIsGone?: boolean | undefined;
}

/** Settings that are fixed when a run starts: they are journaled, so a later value would be ignored. */
const fixedAtStart = ["messages", "conversationHistory", "idempotencyKey", "metadata", "deadlineAt"] as const;

/**
 * Refuses options that only a new run accepts.
 *
 * @throws ConfigurationError `INVALID_OPTION` naming the option.
 */
export function checkResumeOptions(runId: string, options: RunOptions): void {
  const given = fixedAtStart.find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw new ConfigurationError(
    "INVALID_OPTION",
    `"${given}" was given to resume run "${runId}", which has its own. Leave it out; send new input with steer().`,
    { runId },
  );
}

/**
 * Refuses to resume a run for a caller who does not own it: `tenantId` and `userId` claim its owner, and `sessionId` its
 * session. A caller who claims no user is the developer, and may resume any run by its id.
 *
 * @throws RunNotFoundError for a run of another owner, as for a run that does not exist.
 * @throws ConfigurationError `INVALID_OPTION` for another session of the same owner, and for an id that is not a text.
 */
export async function checkResumeIdentity(store: RunStore, runId: string, options: RunOptions): Promise<void> {
  checkRunId(store, runId);
  const { tenantId, userId, sessionId } = options;
  for (const [name, claimed] of Object.entries({ tenantId, userId, sessionId }))
    checkValue(name, claimed, id, `The caller of run "${runId}"`);
  if (tenantId === undefined && userId === undefined && sessionId === undefined) return;
  const run = await store.getRun(runId);
  const isOther = (claimed: string | undefined, own: string | undefined): boolean =>
    claimed !== undefined && (own ?? undefined) !== claimed;
  if (run === undefined || isOther(tenantId, run.tenantId) || isOther(userId, run.userId))
    throw new RunNotFoundError(runId, store.name);
  if (!isOther(sessionId, run.sessionId)) return;
  throw new ConfigurationError(
    "INVALID_OPTION",
    `"sessionId" was given to resume run "${runId}", which is in another session. Leave it out.`,
    { runId },
  );
}

/**
 * Refuses to continue without the dependencies that a run was started with, since its tools would have none; without the
 * functions that it began with, since nothing else does what they forbid; and without the model of its caller, since
 * another one would answer in the caller's place.
 *
 * @throws ConfigurationError `DEPENDENCIES_MISSING`, `RUN_OPTIONS_MISSING`
 * @throws RunError `CALLER_MODEL_MISSING`
 */
export function checkResumeGiven(
  { run, state, queued }: LoadedRun,
  options: RunOptions,
  dependencies: unknown,
  now: number,
): void {
  const { id: runId, deadlineAt = Infinity } = run;
  const { withCallerModel, withDependencies, options: kept }: QueuedOptions = state.start ?? queued;
  // After its deadline a run only ends, as expired: it calls neither a model nor functions.
  const calls = deadlineAt > now;
  if (calls && withCallerModel === true && !hasCallerModel(options))
    throw new RunError(
      "CALLER_MODEL_MISSING",
      `Run "${runId}" executes a call of a client, and only its server can continue it. Use decide(), or cancel the run.`,
      { runId },
    );
  // An empty value given again is the decision to do without.
  const missing = kept?.again?.filter((name) => options[name as keyof RunOptions] === undefined) ?? [];
  const names = missing.join(", ");
  if (calls && missing.length > 0)
    throw new ConfigurationError(
      "RUN_OPTIONS_MISSING",
      `Run "${runId}" began with ${names}. Functions are not stored. Pass them again: resume(runId, decisions, { ${names} }), or to the agent for a worker.`,
      { runId },
    );
  if (options.fakes !== undefined && state.start !== undefined && state.start.faked === undefined)
    throw new ConfigurationError(
      "INVALID_OPTION",
      `"fakes" was given to resume run "${runId}", which began with its real tools. Start a new run with fakes.`,
      { runId },
    );
  if (dependencies === undefined && withDependencies === true)
    throw new ConfigurationError(
      "DEPENDENCIES_MISSING",
      `Run "${runId}" was started with dependencies, and was resumed without any. Dependencies are never stored. Pass them again: resume(runId, decisions, { dependencies }), or Agent({ dependencies }) for runs that a worker drives.`,
      { runId },
    );
}
