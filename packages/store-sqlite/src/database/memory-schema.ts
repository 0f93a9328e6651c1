import type { Database } from "./database.ts";

/**
 * Memories. Words are in a separate index with the scope as a column, so that a search reads only its scope. Deleted
 * index content is overwritten.
 */
export function addMemories(database: Database): void {
  database.exec(`
    CREATE TABLE memory_scopes (
      n INTEGER PRIMARY KEY,
      tenant_id TEXT,
      user_id TEXT
    ) STRICT;
    CREATE UNIQUE INDEX memory_scopes_by_owner
      ON memory_scopes (tenant_id IS NULL, ifnull(tenant_id, ''), user_id IS NULL, ifnull(user_id, ''));
    CREATE TABLE memories (
      n INTEGER PRIMARY KEY,
      scope INTEGER NOT NULL REFERENCES memory_scopes (n),
      id TEXT NOT NULL,
      agent_id TEXT,
      namespace TEXT,
      kind TEXT NOT NULL,
      name TEXT,
      entry TEXT NOT NULL,
      data TEXT,
      length INTEGER NOT NULL,
      valid_from REAL NOT NULL,
      valid_to REAL,
      recorded_at REAL NOT NULL,
      superseded_by TEXT,
      superseded_at REAL,
      superseded_from REAL,
      UNIQUE (scope, id)
    ) STRICT;
    CREATE INDEX memories_by_age ON memories (scope, recorded_at);
    CREATE INDEX memories_by_name ON memories (scope, name) WHERE name IS NOT NULL;
    CREATE INDEX memories_by_successor ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
    CREATE TABLE memory_sources (
      id TEXT NOT NULL,
      memory INTEGER NOT NULL REFERENCES memories (n) ON DELETE CASCADE,
      PRIMARY KEY (id, memory)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX memory_sources_by_memory ON memory_sources (memory);
    CREATE TABLE memory_vectors (
      memory INTEGER PRIMARY KEY REFERENCES memories (n) ON DELETE CASCADE,
      model TEXT NOT NULL,
      dims INTEGER NOT NULL,
      bytes BLOB NOT NULL
    ) STRICT;
    CREATE VIRTUAL TABLE memory_words USING fts5 (scope, words, tokenize = 'unicode61 remove_diacritics 0');
    INSERT INTO memory_words (memory_words, rank) VALUES ('secure-delete', 1);
  `);
}
