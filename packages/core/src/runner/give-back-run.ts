import type { Release, RunStore } from "../contracts/ports/run-store.ts";
import { isFenced } from "../errors/store-errors.ts";
import { giveBack } from "../journal/give-back.ts";
import type { JournalWriter } from "../journal/journal-writer.ts";
import type { Entry } from "./start/begin-run.ts";
import { releaseOf } from "./end/suspended-output.ts";
import type { RunState } from "../journal/run-state.ts";
import type { LoadedRun } from "./start/load-run.ts";
import type { Agent } from "./run.ts";

/** A run whose journal failed is not driven here any more: it can be resumed before its lease ends. */
export async function giveBackFailed(
  agent: Agent,
  { failure, lease }: Pick<JournalWriter, "failure" | "lease">,
): Promise<void> {
  if (failure === undefined || isFenced(failure)) return;
  if ((await giveBack(agent.store, lease)) !== undefined) agent.leftOver.set(lease.runId, lease);
}

/**
 * Gives back what this process had to hold on to, since the store could not be written: one run, or all.
 *
 * @param runId - The run; all of them when it is left out.
 * @returns why one of them is held still.
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

/** A run that was refused before its first record: its caller got the error, and no other process may drive it. */
export async function leaveAsFound(
  store: RunStore,
  { before, opened }: Pick<Entry, "before" | "opened">,
): Promise<void> {
  const { lease, state } = opened.journal;
  try {
    if (before === undefined) {
      // After a lost lease, another process may drive it.
      const run = await store.getRun(lease.runId);
      if (run?.epoch === lease.epoch && run.head.seq === 0) await store.deleteRun(lease.runId);
    } else await store.release(lease, asFound(before, state));
  } catch {
    // It was released already, or the store is away: then its lease expires.
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
      // Also a run that got a message in the meantime.
      return releaseOf(state);
  }
}
