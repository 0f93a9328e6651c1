import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Ledger, Logger, RunStore, SessionStore } from "@bailiwick/core";
import { createBlobs } from "./blobs.ts";
import { createCheckpointer } from "./checkpointer.ts";
import type { Checkpointer } from "./checkpointer.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createLedger } from "./ledger.ts";
import { openDatabase } from "./open-database.ts";
import { createRuns } from "./runs.ts";
import { createSessions } from "./sessions.ts";
import { toStoreError } from "./sqlite-errors.ts";

/** Options of `sqliteStore`. */
export interface SqliteStoreOptions {
  /** The file; it is made when it is not there, its folder is not. `:memory:` keeps everything in this process. */
  readonly path: string;
  /**
   * `many` (default): several processes may open the file. `one`: this process locks it for itself, which allows a
   * write-ahead log on older versions of SQLite too.
   */
  readonly processes?: "one" | "many" | undefined;
  /** How long another process may hold a lock before a call fails, in milliseconds; default 10,000. */
  readonly lockTimeoutMs?: number | undefined;
  /** Where warnings go; default the console. */
  readonly logger?: Pick<Logger, "warn"> | undefined;
}

/** A run store with its ledger and sessions, in one file. */
export interface SqliteStore extends RunStore, AsyncDisposable {
  readonly ledger: Ledger;
  readonly sessions: SessionStore;
  /** Waits for what is being written, then closes the file. */
  close(): Promise<void>;
}

/**
 * Keeps runs, ledger, sessions and blobs in one SQLite file. What resolves is on disk; the writes of one turn of the event
 * loop share one transaction.
 *
 * @param options - The file, and how it is shared.
 * @throws StoreError `STORE_FOLDER_MISSING`, `STORE_CANNOT_OPEN`, `STORE_NOT_A_DATABASE`, `STORE_FOREIGN`, `STORE_FORMAT`,
 * `STORE_READ_ONLY`, `STORE_LOCKED`, `STORE_CORRUPT`, `STORE_FULL`, `STORE_IO`
 * @example
 * ```ts
 * import { sqliteStore } from "@bailiwick/store-sqlite";
 *
 * await using store = sqliteStore({ path: "./runs.db" });
 * console.log(await store.listRuns({}));
 * ```
 */
export function sqliteStore(options: SqliteStoreOptions): SqliteStore {
  const { path, processes = "many", lockTimeoutMs = 10_000, logger = console } = options;
  const name = `sqlite:${path === ":memory:" ? path : resolve(path)}`;
  const database = openDatabase({ path, processes, lockTimeoutMs, logger }, name);
  const checkpointer = processes === "many" && isWriteAhead(database) ? checkpointBeside(database, path) : undefined;
  const commits = createGroupCommit(database, name, lockTimeoutMs, checkpointer?.committed);
  const blobs = createBlobs(database, commits);
  const ledger = createLedger(database, commits);
  const sessions = createSessions(database, commits);
  let closing: Promise<void> | undefined;

  const close = (): Promise<void> => {
    closing ??= commits.close().then(async () => {
      await checkpointer?.close();
      try {
        database.close();
      } catch (error) {
        throw toStoreError(error, name);
      }
    });
    return closing;
  };

  return {
    ...createRuns({ database, name, commits, blobs, ledger, sessions }),
    name,
    durable: path !== ":memory:",
    ledger,
    sessions,
    putBlob: blobs.putBlob,
    getBlob: blobs.getBlob,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function isWriteAhead(database: DatabaseSync): boolean {
  return (database.prepare("PRAGMA journal_mode").get() as { readonly journal_mode: string }).journal_mode === "wal";
}

/** Leaves checkpoints to a thread; this connection makes one by itself only when the log grew far beyond what is usual. */
function checkpointBeside(database: DatabaseSync, path: string): Checkpointer {
  database.exec("PRAGMA wal_autocheckpoint = 20000");
  return createCheckpointer(resolve(path), () => database.exec("PRAGMA wal_autocheckpoint = 1000"));
}
