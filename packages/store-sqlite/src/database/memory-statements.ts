import type { Database, Statement } from "./database.ts";

/**
 * The entries that a scope sees: its own and those that the tenant shares, of its agent or of none, in its namespace.
 * Every statement that reads entries uses it.
 */
const seen = `(m.scope = :own OR (m.scope = :shared AND m.kind = 'shared'))
  AND (m.agent_id IS NULL OR m.agent_id = :agentId) AND m.namespace IS :namespace`;
/** Selects entries that are true at a time, as far as known at another one; see `isTrueAt` of the core. */
const asked = `${seen}
  AND (:kinds IS NULL OR m.kind IN (SELECT value FROM json_each(:kinds)))
  AND (:name IS NULL OR m.name = :name)
  AND (:knownAt IS NULL OR m.recorded_at <= :knownAt)
  AND (m.valid_from <= :at OR (:loose AND m.valid_from <= m.recorded_at))
  AND (m.valid_to IS NULL OR m.valid_to > :at)
  AND (m.superseded_by IS NULL OR (:knownAt IS NOT NULL AND m.superseded_at > :knownAt)
    OR NOT (m.superseded_from <= :at OR (:loose AND m.superseded_from <= m.superseded_at)))`;
const row = `m.n, m.entry, m.data, m.superseded_by, m.superseded_at, m.superseded_from, v.model, v.dims
  FROM memories AS m LEFT JOIN memory_vectors AS v ON v.memory = m.n`;
const newestFirst = "ORDER BY m.recorded_at DESC, m.id";

/** Prepared statements of the memories. */
export function memoryStatements(
  database: Database,
): Readonly<
  Record<
    | "scope"
    | "addScope"
    | "insert"
    | "insertWords"
    | "insertSource"
    | "putVector"
    | "find"
    | "supersede"
    | "rows"
    | "latest"
    | "matching"
    | "statistics"
    | "vectors"
    | "dependants"
    | "removeWords"
    | "remove"
    | "ofScope"
    | "withoutVector"
    | "models"
    | "setData",
    Statement
  >
> {
  return {
    scope: database.prepare("SELECT n FROM memory_scopes WHERE tenant_id IS ? AND user_id IS ?"),
    addScope: database.prepare("INSERT INTO memory_scopes (tenant_id, user_id) VALUES (?, ?)"),
    insert: database.prepare(
      `INSERT INTO memories (scope, id, agent_id, namespace, kind, name, entry, data, length, valid_from, valid_to, recorded_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    insertWords: database.prepare("INSERT INTO memory_words (rowid, scope, words) VALUES (?, ?, ?)"),
    insertSource: database.prepare("INSERT INTO memory_sources (id, memory) VALUES (?, ?) ON CONFLICT DO NOTHING"),
    putVector: database.prepare(
      `INSERT INTO memory_vectors (memory, model, dims, bytes) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET model = excluded.model, dims = excluded.dims, bytes = excluded.bytes`,
    ),
    find: database.prepare(
      `SELECT m.scope, m.kind, m.id, ${row} WHERE m.id = :id AND ${seen} ORDER BY m.scope = :own DESC LIMIT 1`,
    ),
    supersede: database.prepare(
      "UPDATE memories SET superseded_by = ?, superseded_at = ?, superseded_from = ? WHERE n = ?",
    ),
    rows: database.prepare(`SELECT ${row} WHERE m.n IN (SELECT value FROM json_each(:rows)) AND ${asked}`),
    latest: database.prepare(`SELECT ${row} WHERE ${asked} ${newestFirst} LIMIT :limit`),
    matching: database.prepare(
      `SELECT m.n, m.length, w.words FROM memory_words AS w JOIN memories AS m ON m.n = w.rowid
       WHERE memory_words MATCH :match AND ${asked} ${newestFirst} LIMIT :limit`,
    ),
    statistics: database.prepare(
      `SELECT count(*) AS count, ifnull(avg(m.length), 0) AS average FROM memories AS m WHERE ${asked}`,
    ),
    vectors: database.prepare(
      `SELECT m.n, m.recorded_at, m.id, near.bytes FROM memory_vectors AS near JOIN memories AS m ON m.n = near.memory
       WHERE near.model = :model AND near.dims = :dims AND ${asked}`,
    ),
    dependants: database.prepare(
      `SELECT m.n, m.id FROM memories AS m JOIN memory_scopes AS s ON s.n = m.scope
       WHERE s.tenant_id IS (SELECT tenant_id FROM memory_scopes WHERE n = :scope)
         AND (m.superseded_by = :id OR m.n IN (SELECT memory FROM memory_sources WHERE id = :id))`,
    ),
    removeWords: database.prepare("DELETE FROM memory_words WHERE rowid = ?"),
    remove: database.prepare("DELETE FROM memories WHERE n = ?"),
    ofScope: database.prepare("SELECT n FROM memories WHERE scope = ?"),
    withoutVector: database.prepare(
      `SELECT ${row} WHERE ${seen} AND m.superseded_by IS NULL AND (m.valid_to IS NULL OR m.valid_to > :now)
       AND (v.model IS NULL OR v.model <> :model OR v.dims <> :dims) ORDER BY m.n LIMIT :limit`,
    ),
    models: database.prepare(
      `SELECT DISTINCT near.model, near.dims FROM memory_vectors AS near JOIN memories AS m ON m.n = near.memory WHERE ${seen}`,
    ),
    setData: database.prepare("UPDATE memories SET data = ? WHERE n = ?"),
  };
}
