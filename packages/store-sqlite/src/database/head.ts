import type { DatabaseSync } from "node:sqlite";
import { refuse } from "../thread/failure.ts";
import { nativeSqlite } from "./native-sqlite.ts";
import { headPath, openHeadFile, type Head } from "./head-file.ts";

/**
 * Counts the commits of a store, in the store and in a separate file: a store that lost commits is detected at open.
 */
export interface CommitCount {
  /** Called inside each transaction before its commit. Counts it if it changed data. */
  inTransaction(): void;
  /** Called after the commit. */
  committed(): void;
  close(): void;
}

/** Counts nothing: for a store in memory. */
export const noCount: CommitCount = { inTransaction() {}, committed() {}, close() {} };

/** A store's path, and the head that was stored beside it, read before the store was opened. */
export interface Kept {
  readonly path: string;
  readonly name: string;
  readonly head: Head | "damaged" | undefined;
  readonly lockTimeoutMs: number;
}

/**
 * Refuses a store with fewer commits than the separate file recorded, or with a damaged head. Reads it through a
 * connection that leaves a damaged log as it is; a connection that may write would delete the log when it is closed.
 *
 * @throws RefusedError `STORE_BEHIND`
 */
export function checkKept({ path, name, head, lockTimeoutMs }: Kept): void {
  if (head === undefined) return;
  if (head === "damaged") throw damaged(path, name);
  const { DatabaseSync } = nativeSqlite();
  const database = new DatabaseSync(path, { readOnly: true, timeout: lockTimeoutMs });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'head'").all();
    if (tables.length === 0) throw behind(path, name, "all of its commits");
    const found = database.prepare("SELECT store_id, commits FROM head").get() ?? {};
    const commits = Number(found["commits"]);
    if (found["store_id"] === head.storeId && head.commits > commits)
      throw behind(path, name, `its newest commits, ${head.commits - commits} of ${head.commits}`);
  } finally {
    database.close();
  }
}

/** Starts to count the commits of a store. */
export function openCount(database: DatabaseSync, path: string, isInCallersThread = false): CommitCount {
  database.exec(
    "CREATE TABLE IF NOT EXISTS head (one INTEGER PRIMARY KEY, store_id TEXT NOT NULL, commits INTEGER NOT NULL) STRICT",
  );
  if (database.prepare("SELECT one FROM head").get() === undefined)
    database.exec("INSERT INTO head VALUES (1, lower(hex(randomblob(16))), 0) ON CONFLICT DO NOTHING");
  const row = database.prepare("SELECT store_id, commits FROM head").get() ?? {};
  const storeId = String(row["store_id"]);
  const commits = Number(row["commits"]);
  const file = openHeadFile(path, storeId, isInCallersThread);
  const changes = database.prepare("SELECT total_changes() AS changes");
  const changed = (): number => Number(changes.get()?.["changes"]);
  const count = database.prepare("UPDATE head SET commits = commits + 1 RETURNING commits");
  let before = changed();
  let newest: number | undefined = commits;
  const committed = (): void => {
    before = changed();
    if (newest !== undefined) file.keep(newest);
    newest = undefined;
  };
  committed();
  return {
    inTransaction() {
      newest = changed() === before ? undefined : Number(count.get()?.["commits"]);
    },
    committed,
    close: () => file.close(),
  };
}

function damaged(path: string, name: string): Error {
  return refuse(
    "STORE_BEHIND",
    `The file "${headPath(path)}" is damaged, so the store "${name}" cannot tell if it lacks commits. Put the newest copy of it back. If there is none, cancel or inspect the runs that were under way, and delete it to open the store as it is.`,
  );
}

function behind(path: string, name: string, lost: string): Error {
  return refuse(
    "STORE_BEHIND",
    `The store "${name}" lacks ${lost}: the file or its write-ahead log "${path}-wal" was cut, deleted, not copied along, or replaced with an older one. Put the newest copies of both back. If there are none, effects that these commits recorded may be repeated: cancel or inspect the runs that were under way, and delete "${headPath(path)}" to open the store as it is.`,
  );
}
