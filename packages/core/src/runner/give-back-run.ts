import type { Lease, Release, RunStore } from "../contracts/ports/run-store.ts";
import { isFenced } from "../errors/store-errors.ts";
import type { JournalWriter } from "../journal/journal-writer.ts";
import type { Entry } from "./start/begin-run.ts";
import { releaseOf, type LoadedRun } from "./start/load-run.ts";
import type { RunState } from "../journal/run-state.ts";
import type { Agent, LiveRun, Run } from "./run.ts";
import { isStoreAway } from "../errors/host-errors.ts";
import { RunHandedOverError } from "../errors/run-errors.ts";

/** Releases a run whose journal failed, so that another process can resume it before its lease expires. */
export async function giveBackFailed(
  agent: Agent,
  { failure, lease }: Pick<JournalWriter, "failure" | "lease">,
): Promise<void> {
  if (failure !== undefined && !isFenced(failure)) await giveBackLease(agent, lease);
}

/** Releases a run, if this process still has its lease. One that cannot be released now is kept, for `giveBackLeftOver`. */
export async function giveBackLease(agent: Agent, lease: Lease): Promise<void> {
  if ((await giveBack(agent.store, lease)) !== undefined) agent.leftOver.set(lease.runId, lease);
}

/** Releases a lease under which nothing was written. One that cannot be released now is kept, for `giveBackLeftOver`. */
export async function releaseUnused(agent: Agent, lease: Lease, next: Release): Promise<void> {
  try {
    await agent.store.release(lease, next);
  } catch (thrown) {
    if (!isFenced(thrown)) agent.leftOver.set(lease.runId, lease);
  }
}

/**
 * Releases leases that could not be released before, because the store could not be written.
 *
 * @param runId - Releases the lease of this run only.
 * @returns the error if a lease could not be released.
 */
export async function giveBackLeftOver(agent: Agent, runId?: string): Promise<Error | undefined> {
  let held: Error | undefined;
  for (const [id, lease] of agent.leftOver) {
    if (runId !== undefined && id !== runId) continue;
    const error = await giveBack(agent.store, lease);
    if (error === undefined) agent.leftOver.delete(id);
    held ??= error;
  }
  return held;
}

/**
 * Restores the stored state of a run that was refused before its first record. A new run is deleted, unless its host
 * failed: then another process begins it.
 */
export async function leaveAsFound(
  agent: Agent,
  { before, opened }: Pick<Entry, "before" | "opened">,
  reason: unknown,
): Promise<void> {
  const { lease, state } = opened.journal;
  const { store } = agent;
  if (before !== undefined) return releaseUnused(agent, lease, asFound(before, state));
  if (isStoreAway(reason)) return releaseUnused(agent, lease, { state: "queued" });
  try {
    // If the lease was lost, another process may drive the run, so it is not deleted.
    const run = await store.getRun(lease.runId);
    if (run?.epoch === lease.epoch && run.head.seq === 0) await store.deleteRun(lease.runId);
  } catch {
    // The store is unreachable: the lease expires, and another process refuses the run.
  }
}

/** State of the run in the store before its lease was taken; a run whose process died is queued. */
export function asFound({ run }: Pick<LoadedRun, "run">, state: RunState): Release {
  switch (run.state) {
    case "queued":
      return { state: "queued", dueAt: run.dueAt };
    case "running":
    case "stuck":
      return { state: "queued" };
    case "suspended":
      return { state: "suspended", waitingOn: run.waitingOn ?? [] };
    case "sleeping":
      return { state: "sleeping", wakeAt: run.dueAt ?? 0 };
    case "completed":
    case "stopped":
    case "cancelled":
    case "failed":
      // Includes runs that got a message in the meantime.
      return releaseOf(state);
  }
}

/** Signals by which a process hands its runs over to another. */
export interface HandOver {
  /** Hands the run over after its current step, or after its first one if none has begun. */
  readonly soon?: AbortSignal | undefined;
  /** Stops the current step of a run. The next process finds the run as after a crash. */
  readonly now?: AbortSignal | undefined;
}

/** Hands a run over when a signal is aborted. Returns a function that stops watching. */
export function watchHandOver(live: LiveRun, { soon, now }: HandOver): () => void {
  const later = (): void => void (live.control.givesBack = true);
  const atOnce = (): void => {
    // The stop makes tools fail with unknown outcomes, which must not be recorded as failures.
    live.closeJournal();
    live.control.stop({ reason: "failed", error: new RunHandedOverError(live.runId) });
  };
  const follow = (signal: AbortSignal | undefined, react: () => void): (() => void) => {
    if (signal?.aborted === true) react();
    signal?.addEventListener("abort", react, { once: true });
    return () => signal?.removeEventListener("abort", react);
  };
  const forget = [follow(soon, later), follow(now, atOnce)];
  return () => {
    for (const one of forget) one();
  };
}

/**
 * Gives a run back so that another process can drive it at once. A lease that cannot be released now is kept, for
 * `giveBackLeftOver`.
 */
export async function giveBackUnfinished({ agent, journal, control }: Run): Promise<void> {
  try {
    // A stop in the middle of a step aborts calls; these failures are not recorded, because the outcomes are unknown.
    if (control.ending === undefined) await journal.release({ state: "queued" });
    else await journal.abandon({ state: "queued" });
  } catch (thrown) {
    if (!isFenced(thrown)) agent.leftOver.set(journal.lease.runId, journal.lease);
  }
}

/**
 * Releases a lease after a write to the journal failed: the run can be resumed, and continues from the stored records.
 * The last append may have been written although its reply was lost, so the head is read from the store.
 *
 * @returns the reason why the lease is kept: the store still fails.
 */
async function giveBack(store: RunStore, lease: Lease): Promise<Error | undefined> {
  try {
    const run = await store.getRun(lease.runId);
    if (run === undefined || run.state !== "running" || run.epoch !== lease.epoch) return undefined;
    await store.release({ ...lease, head: run.head }, { state: "queued" });
    return undefined;
  } catch (error) {
    if (isFenced(error)) return undefined;
    return error instanceof Error ? error : new Error(String(error));
  }
}
