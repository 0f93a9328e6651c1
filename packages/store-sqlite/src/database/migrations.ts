import type { DatabaseSync } from "node:sqlite";
import type { Database } from "./database.ts";
import { addMemories } from "./memory-schema.ts";
import { addOutbox } from "./outbox-schema.ts";
import { addRunFacts, addTenantTimes } from "./search-schema.ts";
import { addSessionVersions } from "./session-versions-schema.ts";
import { addStateWords } from "./state-words-schema.ts";
import { addTurns } from "./turns-schema.ts";

/** Marks a file as a store: "BWRK". */
export const applicationId = 0x42_57_52_4b;

/** Steps to each format from the one before it. Released steps are never changed. */
export const steps: readonly ((database: Database) => void)[] = [
  createFirstFormat,
  addSearchText,
  addMemories,
  addRunsInsideAndAwaitedBlobs,
  addOwners,
  addRunFacts,
  addStateWords,
  addTenantTimes,
  addSessionVersions,
  (database) => {
    addTurns(database);
    addOutbox(database);
  },
];

/** The newest format that this version reads and writes. */
export const supportedFormat: number = steps.length;

/**
 * Brings a file to the current format; each step is one transaction, and a killed process leaves the format before it.
 *
 * @returns the sessions that the migration shared in their tenant.
 */
export function migrate(database: DatabaseSync): readonly MigratedSession[] {
  const before = formatOf(database);
  while (formatOf(database) < supportedFormat) {
    database.exec("BEGIN IMMEDIATE");
    try {
      // Another process may have done it in the meantime.
      const format = formatOf(database);
      steps[format]?.(database);
      if (format < supportedFormat)
        database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${format + 1}`);
      database.exec("COMMIT");
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  }
  return before > 0 && before < formatWithOwners ? sharedSessions(database) : [];
}

/** Before this format, sessions belonged to their tenant. */
const formatWithOwners = 5;

/** A session that had no user or several before sessions had users. */
export interface MigratedSession {
  readonly id: string;
  readonly tenantId: string | null;
}

function sharedSessions(database: DatabaseSync): readonly MigratedSession[] {
  return database
    .prepare("SELECT id, tenant_id FROM sessions WHERE owner = '*' ORDER BY n")
    .all()
    .map((row) => ({ id: row["id"] as string, tenantId: row["tenant_id"] as string | null }));
}

/** The format of a file. */
export function formatOf(database: DatabaseSync): number {
  return (database.prepare("PRAGMA user_version").get() as { readonly user_version: number }).user_version;
}

// Records in the order of their appends, not by run: a transaction of many runs changes few pages.
function createFirstFormat(database: Database): void {
  database.exec(`
    CREATE TABLE runs (
      n INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      agent_id TEXT NOT NULL,
      definition_hash TEXT NOT NULL,
      session_id TEXT NOT NULL,
      tenant_id TEXT,
      user_id TEXT,
      parent TEXT,
      input TEXT NOT NULL,
      deadline_at INTEGER,
      idempotency_key TEXT,
      state TEXT NOT NULL,
      epoch INTEGER NOT NULL,
      owner TEXT,
      expires_at INTEGER NOT NULL,
      head_seq INTEGER NOT NULL,
      head_hash TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      waiting_on TEXT,
      wake_at INTEGER,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX runs_by_idempotency_key
      ON runs (tenant_id IS NULL, ifnull(tenant_id, ''), idempotency_key) WHERE idempotency_key IS NOT NULL;
    CREATE INDEX runs_by_state ON runs (state, expires_at);
    CREATE INDEX runs_by_session ON runs (session_id);
    CREATE TABLE events (
      n INTEGER PRIMARY KEY,
      run INTEGER NOT NULL REFERENCES runs (n) ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      key TEXT NOT NULL,
      hash BLOB NOT NULL,
      text TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX events_by_seq ON events (run, seq);
    CREATE UNIQUE INDEX events_by_key ON events (run, key);
    CREATE TABLE inbox (
      n INTEGER PRIMARY KEY,
      run INTEGER NOT NULL REFERENCES runs (n) ON DELETE CASCADE,
      id TEXT NOT NULL,
      name TEXT NOT NULL,
      payload TEXT,
      taken INTEGER NOT NULL DEFAULT 0,
      UNIQUE (run, id)
    ) STRICT;
    CREATE TABLE ledger (
      kind TEXT NOT NULL,
      scope TEXT NOT NULL,
      tool_name TEXT NOT NULL,
      key TEXT NOT NULL,
      state TEXT NOT NULL,
      run_id TEXT NOT NULL,
      call_key TEXT NOT NULL,
      input_hash TEXT NOT NULL,
      outcome TEXT,
      expires_at INTEGER NOT NULL,
      PRIMARY KEY (kind, scope, tool_name, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE blobs (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
    CREATE TABLE blob_uses (
      hash TEXT NOT NULL REFERENCES blobs (hash),
      run INTEGER NOT NULL REFERENCES runs (n) ON DELETE CASCADE,
      PRIMARY KEY (hash, run)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX blob_uses_by_run ON blob_uses (run);
    CREATE TABLE sessions (
      n INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      tenant_id TEXT,
      state TEXT NOT NULL,
      updated_at INTEGER NOT NULL,
      changes INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX sessions_by_id ON sessions (tenant_id IS NULL, ifnull(tenant_id, ''), id);
    CREATE TABLE session_messages (
      session INTEGER NOT NULL REFERENCES sessions (n) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      id TEXT NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (session, position)
    ) STRICT;
    CREATE TABLE session_appends (
      session INTEGER NOT NULL REFERENCES sessions (n) ON DELETE CASCADE,
      run_id TEXT NOT NULL,
      seq INTEGER NOT NULL,
      PRIMARY KEY (session, run_id, seq)
    ) STRICT, WITHOUT ROWID;
  `);
}

/** Searching no longer reads every message: its text is stored beside it, in lower case. */
function addSearchText(database: Database): void {
  database.exec(`
    ALTER TABLE session_messages ADD COLUMN search TEXT NOT NULL DEFAULT '';
    CREATE INDEX ledger_by_expiry ON ledger (expires_at);
  `);
  const update = database.prepare("UPDATE session_messages SET search = ? WHERE session = ? AND position = ?");
  for (const row of database.prepare("SELECT session, position, text FROM session_messages").all()) {
    const { content } = JSON.parse(row["text"] as string) as { readonly content: unknown };
    update.run(textOf(content).toLowerCase(), row["session"] as number, row["position"] as number);
  }
}

/**
 * Deleting a run deletes the runs inside its calls without a scan of all runs, and keeps the blobs that were put for
 * records that are still expected.
 */
function addRunsInsideAndAwaitedBlobs(database: Database): void {
  database.exec(`
    CREATE INDEX runs_by_parent ON runs (json_extract(parent, '$.runId')) WHERE parent IS NOT NULL;
    CREATE TABLE awaited_blobs (
      hash TEXT PRIMARY KEY REFERENCES blobs (hash) ON DELETE CASCADE,
      times INTEGER NOT NULL,
      until INTEGER NOT NULL,
      deleted INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX awaited_blobs_by_time ON awaited_blobs (until);
  `);
}

/**
 * The user becomes part of the identity of sessions and of a run's idempotency key. An owner is '' for no user, '=' and
 * the user's id, or '*' for a session that its tenant shares. A session gets the user of its runs if there is only one;
 * the others are shared.
 */
function addOwners(database: Database): void {
  database.exec(`
    DROP INDEX runs_by_idempotency_key;
    CREATE UNIQUE INDEX runs_by_idempotency_key
      ON runs (tenant_id IS NULL, ifnull(tenant_id, ''), user_id IS NULL, ifnull(user_id, ''), idempotency_key)
      WHERE idempotency_key IS NOT NULL;
    CREATE INDEX runs_by_owner ON runs (tenant_id, user_id, created_at DESC, n DESC);
    ALTER TABLE sessions ADD COLUMN owner TEXT NOT NULL DEFAULT '*';
    UPDATE sessions SET owner = (
      SELECT CASE WHEN count(DISTINCT user_id) = 1 THEN '=' || max(user_id) ELSE '*' END
      FROM runs WHERE session_id = sessions.id AND tenant_id IS sessions.tenant_id
    );
    DROP INDEX sessions_by_id;
    CREATE UNIQUE INDEX sessions_by_id ON sessions (tenant_id IS NULL, ifnull(tenant_id, ''), owner, id);
    CREATE INDEX sessions_by_change ON sessions (tenant_id, owner, changes DESC);
    ALTER TABLE runs RENAME COLUMN wake_at TO due_at;
    ALTER TABLE runs ADD COLUMN enqueued_at INTEGER NOT NULL DEFAULT 0;
    UPDATE runs SET enqueued_at = created_at;
    ALTER TABLE runs ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN session_order INTEGER;
    ALTER TABLE runs ADD COLUMN settled_at INTEGER;
    UPDATE runs SET settled_at = updated_at WHERE state IN ('waiting', 'done', 'failed');
    CREATE INDEX runs_by_settling ON runs (settled_at, n) WHERE settled_at IS NOT NULL AND parent IS NULL;
    CREATE INDEX runs_ready ON runs (agent_id, priority DESC, n) WHERE state = 'ready' AND due_at IS NULL AND parent IS NULL;
    CREATE INDEX runs_by_due ON runs (agent_id, due_at) WHERE state IN ('ready', 'sleeping') AND due_at IS NOT NULL AND parent IS NULL;
    CREATE INDEX runs_by_expiry ON runs (agent_id, expires_at) WHERE state = 'running' AND parent IS NULL;
    CREATE INDEX runs_by_session_order ON runs (session_id, session_order)
      WHERE session_order IS NOT NULL AND state IN ('ready', 'running');
    CREATE TABLE session_writes (
      session INTEGER NOT NULL REFERENCES sessions (n) ON DELETE CASCADE,
      run_id TEXT NOT NULL,
      name TEXT NOT NULL,
      state TEXT NOT NULL,
      PRIMARY KEY (session, run_id, name)
    ) STRICT, WITHOUT ROWID;
  `);
}

/** Reads messages in the form of that format: a released step does not follow later changes. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) => {
      const text = typeof part === "object" && part !== null ? (part as { readonly text?: unknown }).text : undefined;
      return typeof text === "string" ? text : "";
    })
    .join("\n");
}
