import type { DatabaseSync } from "node:sqlite";
import { refuse } from "../thread/failure.ts";
import type { RefusedError } from "../thread/failure.ts";
import { noCount, type CommitCount } from "./head.ts";
import { lockedTooLong } from "./lock-holder.ts";
import { isBusy, toRefused } from "./sqlite-failures.ts";

/** Maximum number of writes in one transaction; the rest waits for the next one, so that no caller waits long. */
const largestGroup = 512;
const firstRetryMs = 1;
const longestRetryMs = 20;

/** Runs writes in transactions that they share. */
export interface GroupCommit {
  /**
   * Runs a write in the next transaction; resolves when it is on disk. A write that throws is undone alone. It may run
   * again if the transaction could not be committed, so it changes only the database.
   */
  write<T>(work: () => T): Promise<T>;
  /** Runs a read now, over one snapshot of the file, and again later while another process blocks it. */
  read<T>(work: () => T): Promise<T>;
  /** Number of committed transactions. */
  readonly count: number;
  /** Resolves when all writes are settled; later ones are refused. */
  close(): Promise<void>;
}

interface Job {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly deadline: number;
}

type Settled = { readonly job: Job; readonly value: unknown } | { readonly job: Job; readonly error: Error };

/**
 * Collects the writes of one turn of the event loop, of all runs of the process, into one `BEGIN IMMEDIATE` transaction.
 *
 * @param database - The only connection of this process that writes.
 * @param name - The store, for errors.
 * @param lockTimeoutMs - Time limit for waiting for another process.
 * @param counted - Counts the commits.
 */
export function createGroupCommit(
  database: DatabaseSync,
  name: string,
  lockTimeoutMs: number,
  counted: CommitCount = noCount,
): GroupCommit {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const beginRead = database.prepare("BEGIN DEFERRED");
  const commit = database.prepare("COMMIT");
  const rollback = database.prepare("ROLLBACK");
  const savepoint = database.prepare("SAVEPOINT one");
  const undo = database.prepare("ROLLBACK TO one");
  const keep = database.prepare("RELEASE one");
  const tooLong = (cause?: unknown): RefusedError => lockedTooLong(name, database.location(), lockTimeoutMs, cause);
  let queue: Job[] = [];
  let scheduled = false;
  let retryMs = firstRetryMs;
  let closed = false;
  let count = 0;
  let whenIdle: (() => void)[] = [];

  function schedule(delayMs?: number): void {
    if (scheduled) return;
    scheduled = true;
    if (delayMs === undefined) setImmediate(drain);
    else setTimeout(drain, delayMs);
  }

  function drain(): void {
    scheduled = false;
    const settled: Settled[] = [];
    const taken: Job[] = [];
    try {
      begin.run();
      runJobs(taken, settled);
      counted.inTransaction();
      commit.run();
    } catch (error) {
      endTransaction();
      if (isBusy(error)) retry(taken);
      else fail(taken.length === 0 ? queue.splice(0) : taken, error);
      return next();
    }
    count += 1;
    counted.committed();
    retryMs = firstRetryMs;
    for (const entry of settled) {
      if ("error" in entry) entry.job.reject(entry.error);
      else entry.job.resolve(entry.value);
    }
    next();
  }

  function runJobs(taken: Job[], settled: Settled[]): void {
    const group = queue.slice(0, largestGroup);
    for (const job of group) {
      taken.push(job);
      savepoint.run();
      try {
        settled.push({ job, value: job.work() });
      } catch (error) {
        if (isBusy(error)) throw error;
        // If SQLite rolled the whole transaction back, the whole group failed.
        try {
          undo.run();
        } catch {
          throw error;
        }
        settled.push({ job, error: toRefused(error, name) });
      }
      keep.run();
    }
    queue.splice(0, group.length);
  }

  function endTransaction(): void {
    try {
      rollback.run();
    } catch {
      // There was none, or SQLite ended it.
    }
  }

  /** Another process blocks the transaction: the jobs go back to the front, and those that waited too long fail. */
  function retry(taken: readonly Job[]): void {
    const waiting = new Set(queue);
    queue = [...taken.filter((job) => !waiting.has(job)), ...queue];
    const now = performance.now();
    const late = queue.filter((job) => job.deadline <= now);
    queue = queue.filter((job) => job.deadline > now);
    if (late.length > 0) fail(late, tooLong());
    if (queue.length > 0) {
      schedule(retryMs * (0.5 + Math.random()));
      retryMs = Math.min(retryMs * 2, longestRetryMs);
    }
  }

  function fail(jobs: readonly Job[], error: unknown): void {
    const gone = new Set(jobs);
    queue = queue.filter((job) => !gone.has(job));
    const failure = toRefused(error, name);
    for (const job of jobs) job.reject(failure);
  }

  function next(): void {
    if (queue.length > 0) return schedule();
    for (const resolve of whenIdle.splice(0)) resolve();
  }

  async function read<T>(work: () => T): Promise<T> {
    const deadline = performance.now() + lockTimeoutMs;
    for (let delay = firstRetryMs; ; delay = Math.min(delay * 2, longestRetryMs)) {
      try {
        beginRead.run();
        const value = work();
        commit.run();
        return value;
      } catch (error) {
        endTransaction();
        if (!isBusy(error)) throw toRefused(error, name);
        if (performance.now() > deadline) throw tooLong(error);
      }
      await new Promise((resolve) => setTimeout(resolve, delay * (0.5 + Math.random())));
    }
  }

  return {
    write<T>(work: () => T): Promise<T> {
      if (closed) return Promise.reject(closedError(name));
      const promise = new Promise<unknown>((resolve, reject) => {
        queue.push({ work, resolve, reject, deadline: performance.now() + lockTimeoutMs });
      });
      schedule();
      return promise as Promise<T>;
    },
    get count() {
      return count;
    },
    read: (work) => (closed ? Promise.reject(closedError(name)) : read(work)),
    close() {
      closed = true;
      if (queue.length === 0) return Promise.resolve();
      return new Promise((resolve) => whenIdle.push(resolve));
    },
  };
}

function closedError(name: string): RefusedError {
  return refuse("STORE_CLOSED", `The store "${name}" is closed. Open it again before it is used.`);
}
