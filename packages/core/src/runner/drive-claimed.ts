import type { ClaimedRun } from "../contracts/ports/run-store.ts";
import type { RunOutput } from "../contracts/run-output.ts";
import type { HandOver } from "./give-back-run.ts";
import { openStoredRun } from "./open-run.ts";
import { createLiveRun } from "./start/live-run.ts";
import type { Agent } from "./run.ts";

/** Options for driving a claimed run. */
export interface DriveOptions {
  /** Aborted to return the run before it ends. */
  readonly handOver?: HandOver | undefined;
}

/**
 * Drives a run under the lease that a worker claimed, until it ends, waits, or is handed over.
 *
 * @throws RunHandedOverError if it was handed over. Other errors are those of `resume`; the run is then ready.
 */
export async function driveClaimed(
  agent: Agent,
  { run, lease }: ClaimedRun,
  { handOver }: DriveOptions,
): Promise<RunOutput> {
  const live = createLiveRun(run.id, agent.logger);
  try {
    return await openStoredRun(agent, live, [], {}, { claimed: lease, handOver });
  } catch (error) {
    // The run was refused before its journal was opened. Releasing a lease twice has no effect.
    await agent.store.release(lease, { state: "queued" }).catch(() => undefined);
    throw error;
  }
}
