import type { Database } from "./database.ts";

/**
 * Messages get the version of their session that added them, and an edit keeps the former text for the runs that have
 * read it. Runs that are deleted with their conversation leave their id, and their rows of the ledger are found by it.
 */
export function addSessionVersions(database: Database): void {
  database.exec(`
    ALTER TABLE sessions ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE session_messages ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
    CREATE TABLE session_former (
      session INTEGER NOT NULL REFERENCES sessions (n) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      until INTEGER NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (session, position, until)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE deleted_runs (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE INDEX ledger_by_run ON ledger (run_id);
  `);
}
