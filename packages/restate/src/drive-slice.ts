import {
  BailiwickError,
  isEnded,
  RunBusyError,
  RunError,
  RunNotFoundError,
  type AgentRuntime,
  type ClaimedRun,
  type RunOutput,
} from "@bailiwick/core";
import { errorFacts } from "@bailiwick/core/extension";
import type { CheckedRestate } from "./options.ts";

/** The message that drives a run. */
export interface DriveRequest {
  /** Number of times that the run failed with a temporary error. */
  readonly failures?: number | undefined;
}

/** The state of a run after a slice. It holds no conversation, because Restate stores it. */
export interface Driven {
  /** State of the run after the slice. */
  readonly status: RunOutput["status"] | "running" | "stuck";
  /** Delay in milliseconds before the run continues in another invocation. */
  readonly againMs?: number | undefined;
  /** Number of consecutive failures until now. */
  readonly failures?: number | undefined;
}

/** Signals that end a slice. */
export interface SliceSignals {
  /** The process stops: runs are given back after their step. */
  readonly draining: AbortSignal;
  /** Restate ended this attempt: another process may already drive the run. */
  readonly attemptEnded: AbortSignal;
}

/** First and longest delay before a failed run is retried, in milliseconds. */
const firstRetryMs = 1_000;
const longestRetryMs = 300_000;

/**
 * Drives a run until it ends, waits, sleeps, or has been driven for the time of a slice.
 *
 * @throws RunNotFoundError `RUN_NOT_FOUND`
 * @throws RunError `AGENT_UNKNOWN` when this process has no agent of its name; `RUN_STUCK`
 * @throws RunBusyError, SessionBusyError if it has to be retried.
 */
export async function driveSlice(
  options: CheckedRestate,
  runId: string,
  { failures = 0 }: DriveRequest,
  { draining, attemptEnded }: SliceSignals,
): Promise<Driven> {
  const { store, maxAttempts, sliceMs } = options;
  const run = await store.getRun(runId);
  if (run === undefined) throw new RunNotFoundError(runId, store.name);
  const runtime = options.runtimes.get(run.agentId);
  if (runtime === undefined) throw unknownAgent(runId, run.agentId);
  if (run.state === "suspended") return { status: "suspended" };
  if (run.state === "stuck") return { status: "stuck" };
  if (isEnded(run.state) && run.state !== "failed") return { status: run.state };
  const waitMs = (run.dueAt ?? 0) - runtime.clock.now();
  if ((run.state === "sleeping" || run.state === "queued") && waitMs > 0)
    return { status: run.state === "sleeping" ? "sleeping" : "running", againMs: waitMs };
  if (run.state === "failed" && failures === 0) return { status: "failed" };
  // Restate drives a run in one place at a time: the process that had the lease is gone, or has lost this run.
  const askedAt = { wall: runtime.clock.now(), steady: performance.now() };
  const lease = await store.acquire(runId, `restate:${options.name}`, runtime.leaseMs, undefined, run.epoch);
  if (lease === null) throw new RunBusyError(runId, 0);
  const taken = await store.getRun(runId);
  if (taken === undefined) throw new RunNotFoundError(runId, store.name);
  if (taken.attempts > maxAttempts) {
    await store.release(lease, { state: "stuck" });
    throw isStuck(runId, maxAttempts);
  }
  const soon = AbortSignal.any([draining, AbortSignal.timeout(sliceMs)]);
  const handOver = { soon, now: attemptEnded };
  // The next process may take the lease while this one is paused, so no time proves it.
  return settled(options, runtime, { run: taken, lease }, failures, { handOver, askedAt, isTakeable: true });
}

async function settled(
  { store, attempts, logger }: CheckedRestate,
  runtime: AgentRuntime,
  claimed: ClaimedRun,
  failures: number,
  drive: NonNullable<Parameters<AgentRuntime["driveClaimed"]>[1]>,
): Promise<Driven> {
  const runId = claimed.run.id;
  try {
    const { status, wakeAt } = await runtime.driveClaimed(claimed, drive);
    if (wakeAt === undefined) return { status };
    return { status, againMs: Math.max(0, wakeAt - runtime.clock.now()) };
  } catch (thrown) {
    if (BailiwickError.isInstance(thrown) && thrown.code === "RUN_HANDED_OVER")
      return { status: "running", againMs: 0 };
    const { output, retryable } = thrown as { readonly output?: RunOutput; readonly retryable?: unknown };
    // The run is open: Restate calls again.
    if (output === undefined || errorFacts(thrown).forRun === "giveBack") throw thrown;
    if (retryable !== true || failures >= attempts) return { status: output.status };
    const againMs = Math.min(firstRetryMs * 2 ** failures, longestRetryMs);
    logger.warn(`Run ${runId} failed and is tried again in ${againMs} ms.`, { error: thrown });
    await store.requeue(runId, claimed.lease.epoch, runtime.clock.now() + againMs);
    return { status: "running", againMs, failures: failures + 1 };
  }
}

function unknownAgent(runId: string, agentId: string): RunError {
  return new RunError(
    "AGENT_UNKNOWN",
    `Run "${runId}" belongs to agent "${agentId}", and this deployment has no agent of that name. Give it to restateRuns().`,
    { runId },
  );
}

function isStuck(runId: string, maxAttempts: number): RunError {
  return new RunError(
    "RUN_STUCK",
    `Run "${runId}" ended its process ${maxAttempts} times without progress, so it is no longer driven. Inspect it, then call retryRun() of @bailiwick/worker and wake(), or cancel it.`,
    { runId },
  );
}
