import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The desk's data file cannot be opened. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
}

/**
 * Opens (or creates) the desk's data file. The server and the command line may have it open at once.
 *
 * @param path - A file, or `":memory:"`.
 * @throws DatabaseUnavailable - the file can't be read or written, or is not a database.
 */
export function openDatabase(path: string): DatabaseSync {
  try {
    if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
    const database = new DatabaseSync(path, { timeout: 5_000 });
    // TRUNCATE is safe with several processes on every SQLite version; the desk writes a few rows a mail.
    database.exec("PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
    return database;
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new DatabaseUnavailable(
      `Cannot open the desk's data file ${path}: ${detail}. Set DESK_DATA to a folder that can be written.`,
      { cause },
    );
  }
}

/**
 * Runs `body` in one immediate transaction: all of it, or none.
 *
 * @param database - An open connection that has no transaction running.
 * @param body - Synchronous work.
 */
export function inTransaction<Result>(database: DatabaseSync, body: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = body();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}
