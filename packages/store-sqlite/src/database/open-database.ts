import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { readHead, removeHead } from "./head-file.ts";
import { checkKept, noCount, openCount, type CommitCount, type Kept } from "./head.ts";
import { lockedTooLong } from "./lock-holder.ts";
import { applicationId, formatOf, migrate, supportedFormat, type MigratedSession } from "./migrations.ts";
import { nativeSqlite } from "./native-sqlite.ts";
import { refuse } from "../thread/failure.ts";
import { isBusy, toRefused } from "./sqlite-failures.ts";

/** Options of opening a file. */
export interface OpenOptions {
  readonly path: string;
  readonly processes: "one" | "many";
  readonly lockTimeoutMs: number;
  /** Warns the caller. */
  readonly warn: (text: string) => void;
  /** True in the caller's thread: the head is synced at once, because a thread pool would answer at any time. */
  readonly isInCallersThread?: boolean | undefined;
  /** Milliseconds since the epoch; default the clock of SQLite. */
  readonly clock?: (() => number) | undefined;
}

/** Since this version, several processes may use a write-ahead log on one file. */
const safeWalVersion = [3, 51, 3] as const;

/**
 * The journal mode for a version of SQLite: a write-ahead log where several processes are safe with it, or where there is
 * one process only.
 *
 * @param version - Result of `sqlite_version()`.
 * @param processes - Number of processes that use the file.
 */
export function journalModeFor(version: string, processes: "one" | "many"): "wal" | "truncate" {
  if (processes === "one") return "wal";
  const parts = version.split(".").map(Number);
  for (const [index, needed] of safeWalVersion.entries()) {
    const part = parts[index] ?? 0;
    if (part !== needed) return part > needed ? "wal" : "truncate";
  }
  return "wal";
}

/** A store's file that is open. */
export interface OpenedDatabase {
  readonly database: DatabaseSync;
  /** Counts the commits. */
  readonly counted: CommitCount;
}

/**
 * Opens a store's file, sets it up and migrates it to the current format.
 *
 * @throws RefusedError
 */
export function openDatabase(options: OpenOptions, name: string): OpenedDatabase {
  const { path } = options;
  const inMemory = path === ":memory:";
  if (!inMemory) checkPath(path, name);
  let database: DatabaseSync | undefined;
  try {
    if (!inMemory) {
      checkKept({ path, name, head: keptHead(path), lockTimeoutMs: options.lockTimeoutMs });
      makePrivate(path);
    }
    database = new (nativeSqlite().DatabaseSync)(path);
    return { database, counted: setUp(database, options, name) };
  } catch (error) {
    database?.close();
    throw isBusy(error) ? lockedTooLong(name, path, options.lockTimeoutMs, error) : toRefused(error, name);
  }
}

/** Reads the head of an existing store. A head without its store is removed before another process can see both. */
function keptHead(path: string): Kept["head"] {
  if (existsSync(path)) return readHead(path);
  removeHead(path);
  return undefined;
}

/**
 * Only the owner can read a new file; SQLite gives its log and its index the same mode. An existing file keeps its mode,
 * and is not opened here: closing it would end the locks that other connections of this process have on it.
 */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}

function checkPath(path: string, name: string): void {
  const folder = dirname(resolve(path));
  if (!existsSync(folder)) {
    throw refuse(
      "STORE_FOLDER_MISSING",
      `The store "${name}" cannot be opened: there is no folder "${folder}". Create it first.`,
    );
  }
  if (existsSync(path) && statSync(path).isDirectory()) {
    throw refuse(
      "STORE_CANNOT_OPEN",
      `The store "${name}" cannot be opened: "${path}" is a folder. Give the path of a file in it.`,
    );
  }
}

function setUp(database: DatabaseSync, options: OpenOptions, name: string): CommitCount {
  database.exec(`PRAGMA busy_timeout = ${options.lockTimeoutMs}`);
  if (options.processes === "one") database.exec("PRAGMA locking_mode = EXCLUSIVE");
  checkOrigin(database, name);
  // True for a file that is still empty: it can become shorter step by step.
  database.exec("PRAGMA auto_vacuum = INCREMENTAL");
  const version = valueOf(database, "SELECT sqlite_version()") as string;
  const wanted = journalModeFor(version, options.processes);
  const mode = setJournalMode(database, wanted);
  if (options.path !== ":memory:" && mode !== wanted) {
    throw refuse(
      "STORE_LOCKED",
      `The store "${name}" is open in another process in journal mode "${mode}", and this one needs "${wanted}" (SQLite ${version}). Use the same version of Node in all processes, 24 or later.`,
    );
  }
  if (wanted === "truncate") {
    options.warn(
      `The store "${name}" runs on SQLite ${version}, whose write-ahead log is not safe for several processes: it uses a slower rollback journal. Use Node 24.15 or later, or processes: "one" if no other process opens the file.`,
    );
  }
  // Each commit is on disk before it is answered.
  database.exec(
    "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF",
  );
  const shared = migrate(database);
  if (shared.length > 0) options.warn(sharedText(name, shared));
  // A newer version may have migrated further in the meantime.
  checkFormat(formatOf(database), name);
  const counted = options.path === ":memory:" ? noCount : openCount(database, options.path, options.isInCallersThread);
  // Statements below do not wait inside SQLite, where they would block everything else.
  database.exec("PRAGMA busy_timeout = 0");
  return counted;
}

/** Maximum number of sessions that the warning about a migration names. */
const mostNamed = 100;

function sharedText(name: string, shared: readonly MigratedSession[]): string {
  const named = shared
    .slice(0, mostNamed)
    .map(({ id, tenantId }) => (tenantId === null ? `"${id}"` : `"${id}" of tenant "${tenantId}"`));
  const more = shared.length > mostNamed ? `, and ${shared.length - mostNamed} more` : "";
  return `The store "${name}" was migrated to format ${supportedFormat}, in which a session belongs to a user. ${shared.length} sessions had no user or several, and every user of their tenant can continue them: ${named.join(", ")}${more}. Delete or claim the sessions that should not be shared.`;
}

function setJournalMode(database: DatabaseSync, wanted: "wal" | "truncate"): string {
  try {
    return String(valueOf(database, `PRAGMA journal_mode = ${wanted}`));
  } catch (error) {
    if (!isBusy(error)) throw error;
    return String(valueOf(database, "PRAGMA journal_mode"));
  }
}

/** Reads the state of the file in one snapshot: another process may be creating it. */
function checkOrigin(database: DatabaseSync, name: string): void {
  database.exec("BEGIN DEFERRED");
  const id = valueOf(database, "PRAGMA application_id");
  const tables = valueOf(database, "SELECT count(*) FROM sqlite_schema") as number;
  const format = formatOf(database);
  database.exec("COMMIT");
  if (id !== applicationId && (tables > 0 || id !== 0)) {
    throw refuse(
      "STORE_FOREIGN",
      `The store "${name}" is a database of another program: it was left as it is. Give the path of a store, or of a file that does not exist yet.`,
    );
  }
  checkFormat(format, name);
}

function checkFormat(format: number, name: string): void {
  if (format <= supportedFormat) return;
  throw refuse(
    "STORE_FORMAT",
    `The store "${name}" was written in format ${format}; this version reads up to ${supportedFormat}. Use a newer version of @bailiwick/store-sqlite.`,
  );
}

function valueOf(database: DatabaseSync, sql: string): unknown {
  const row = database.prepare(sql).get();
  return row === undefined ? undefined : Object.values(row)[0];
}
