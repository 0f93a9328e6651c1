import { createHash, randomUUID } from "node:crypto";
import type { Database } from "../connection/database.ts";
import { fromColumn, toColumn } from "../connection/names.ts";
import type { PostgresPool } from "../connection/postgres-pool.ts";
import { number, text } from "../connection/statements.ts";
import type { Tables } from "../schema/tables.ts";
import type { Ask } from "../connection/statements.ts";
import { createListener } from "./listener.ts";

/** How signals of other processes are noticed. */
export interface NoticeSettings {
  readonly pool: PostgresPool;
  readonly schema: string;
  readonly listens: boolean;
  /** Interval between two reads of the inboxes, in milliseconds, while no notices arrive. */
  readonly pollMs: number;
}

/** Listeners for signals of a run. */
export interface Notices {
  readonly channel: string;
  /** Prefix of a signal's number in the channel. */
  noticeOf(runId: string): string;
  /** Calls back the subscribers of this process once for each signal of a run, from the first source that reports it. */
  tell(runId: string, signal: number): void;
  subscribe(runId: string, callback: () => void): () => void;
  /** Calls back when a run may have become ready, in any process. */
  onReady(callback: () => void): () => void;
  /** Calls back the workers of this process. */
  tellReady(): void;
  /** Notifies other processes, when the transaction is committed, that a run became ready. */
  tellOthers(ask: Ask): Promise<void>;
  close(): void;
}

/**
 * Callbacks for signals. Those of this process are called at once; signals of other processes arrive through
 * `LISTEN`, or are polled where it does not work: behind a pooler that gives each transaction another connection.
 */
export function createNotices(database: Database, { runs, inbox }: Tables, settings: NoticeSettings): Notices {
  const { pool, schema, listens, pollMs } = settings;
  const self = randomUUID();
  const channel = `bailiwick_${digest(schema)}`;
  const callbacks = new Map<string, Set<() => void>>();
  /** Keyed by the sent text, because ids may be longer than a notice. */
  const runOf = new Map<string, string>();
  /** The last signal that a run's subscribers received. */
  const seen = new Map<string, number>();
  const workers = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let looking = false;
  let closed = false;

  const listener = createListener({
    pool,
    channel,
    probe: `${self} probe`,
    hear(notice) {
      const [from, run = "", signal] = notice.split(" ");
      if (from === self) return;
      // A signal makes a waiting run ready.
      tellReady();
      const runId = runOf.get(run);
      if (runId !== undefined) tell(runId, Number(signal));
    },
    // Events that arrived without a listener.
    ready() {
      tellReady();
      void look();
    },
  });

  function tellReady(): void {
    for (const callback of workers) callback();
  }

  function tell(runId: string, signal: number): void {
    const known = callbacks.get(runId);
    if (known === undefined || (seen.get(runId) ?? 0) >= signal) return;
    seen.set(runId, signal);
    for (const callback of known) callback();
  }

  /** Reads the inboxes of all runs with a subscriber. */
  async function look(): Promise<void> {
    if (looking || closed || callbacks.size === 0) return;
    looking = true;
    try {
      const rows = await database.read(
        `SELECT runs.id, max(waiting.n) AS last FROM ${runs} AS runs JOIN ${inbox} AS waiting ON waiting.run = runs.n AND NOT waiting.taken
         WHERE runs.id = ANY ($1::text[]) GROUP BY runs.id`,
        [[...callbacks.keys()].map(toColumn)],
      );
      for (const row of rows) tell(fromColumn(text(row, "id")), number(row, "last"));
    } catch {
      // The next poll may succeed; a renewal of the lease reports signals too.
    } finally {
      looking = false;
    }
  }

  function start(): void {
    if (timer !== undefined || closed) return;
    timer = setInterval(() => {
      if (!listener.hears) {
        tellReady();
        void look();
      }
      if (listens) listener.start();
    }, pollMs);
    timer.unref();
    if (listens) listener.start();
  }

  return {
    channel,
    noticeOf: (runId) => `${self} ${digest(runId)}`,
    tell,
    subscribe(runId, callback) {
      const known = callbacks.get(runId) ?? new Set();
      callbacks.set(runId, known.add(callback));
      runOf.set(digest(runId), runId);
      start();
      return () => {
        known.delete(callback);
        if (known.size > 0 || callbacks.get(runId) !== known) return;
        callbacks.delete(runId);
        runOf.delete(digest(runId));
        seen.delete(runId);
      };
    },
    onReady(callback) {
      workers.add(callback);
      start();
      return () => void workers.delete(callback);
    },
    tellReady,
    async tellOthers(ask) {
      await ask("SELECT pg_notify($1, $2)", [channel, `${self} ready`]);
    },
    close() {
      closed = true;
      clearInterval(timer);
      listener.close();
    },
  };
}

function digest(name: string): string {
  return createHash("sha256").update(toColumn(name)).digest("hex").slice(0, 32);
}
