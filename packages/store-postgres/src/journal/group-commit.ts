import { StoreError } from "@bailiwick/core/store";
import type { Head } from "@bailiwick/core/store";
import type { Job, Outcome } from "./jobs.ts";

/** Maximum number of writes in one transaction; the rest waits for the next one, so that no caller waits long. */
const largestGroup = 512;

/** Runs writes of all runs of this process in transactions that they share. */
export interface GroupCommit {
  /** Resolves when it is on disk, with the new head after an append. */
  add(job: Job): Promise<Head | undefined>;
  /** Resolves when everything that was added is settled. */
  idle(): Promise<void>;
}

interface Waiting {
  readonly job: Job;
  readonly resolve: (head: Head | undefined) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Collects the writes of one turn of the event loop, and those that arrive during a transaction.
 *
 * @param write - Writes a group in one transaction; its error applies to the whole group.
 */
export function createGroupCommit(write: (jobs: readonly Job[]) => Promise<readonly Outcome[]>): GroupCommit {
  let queue: Waiting[] = [];
  let busy = false;
  let whenIdle: (() => void)[] = [];

  async function drain(): Promise<void> {
    const group = queue.slice(0, largestGroup);
    queue = queue.slice(largestGroup);
    await settle(group);
    if (queue.length > 0) setImmediate(() => void drain());
    else {
      busy = false;
      for (const resolve of whenIdle.splice(0)) resolve();
    }
  }

  async function settle(group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await write(group.map(({ job }) => job));
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined || "error" in outcome) reject(outcome?.error ?? new Error("There is no outcome."));
        else resolve(outcome.head);
      }
    } catch (error) {
      const runs = [...new Set(group.map(({ job }) => job.held.runId))];
      // Damaged records of one run must not affect the others.
      if (runs.length > 1 && isOfOneRun(error))
        for (const runId of runs) await settle(group.filter(({ job }) => job.held.runId === runId));
      else for (const { reject } of group) reject(error as Error);
    }
  }

  return {
    add(job) {
      const promise = new Promise<Head | undefined>((resolve, reject) => queue.push({ job, resolve, reject }));
      if (!busy) {
        busy = true;
        setImmediate(() => void drain());
      }
      return promise;
    },
    idle: () => (busy ? new Promise((resolve) => whenIdle.push(resolve)) : Promise.resolve()),
  };
}

function isOfOneRun(error: unknown): boolean {
  return error instanceof StoreError && ["STORE_FAILED", "STORE_TOO_LONG", "STORE_CORRUPT"].includes(error.code);
}
