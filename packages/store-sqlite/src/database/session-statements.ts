import type { Database, Statement } from "./database.ts";
import { now } from "./store-clock.ts";

const changes = "(SELECT ifnull(max(changes), 0) + 1 FROM sessions)";

/** Prepared statements of the sessions. A tenant is compared with IS: sessions without one are their own tenant. */
export function sessionStatements(
  database: Database,
): Readonly<
  Record<
    | "find"
    | "insert"
    | "nextPosition"
    | "insertMessage"
    | "copyMessages"
    | "messages"
    | "position"
    | "appended"
    | "joined"
    | "update"
    | "list"
    | "search"
    | "edit"
    | "remove",
    Statement
  >
> {
  return {
    find: database.prepare("SELECT n, state FROM sessions WHERE id = ? AND tenant_id IS ?"),
    insert: database.prepare(
      `INSERT INTO sessions (id, tenant_id, state, updated_at, changes) VALUES (?, ?, ?, ${now}, ${changes})`,
    ),
    nextPosition: database.prepare(
      "SELECT ifnull(max(position) + 1, 0) AS position FROM session_messages WHERE session = ?",
    ),
    insertMessage: database.prepare(
      "INSERT INTO session_messages (session, position, id, text, search) VALUES (?, ?, ?, ?, ?)",
    ),
    copyMessages: database.prepare(
      `INSERT INTO session_messages (session, position, id, text, search)
       SELECT ?1, position, id, text, search FROM session_messages WHERE session = ?2 AND (?3 IS NULL OR position <= ?3)`,
    ),
    messages: database.prepare("SELECT text FROM session_messages WHERE session = ? ORDER BY position"),
    position: database.prepare(
      "SELECT position FROM session_messages WHERE session = ? AND id = ? ORDER BY position LIMIT 1",
    ),
    appended: database.prepare(
      "INSERT INTO session_appends (session, run_id, seq) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    ),
    joined: database.prepare("SELECT run_id, seq FROM session_appends WHERE session = ? ORDER BY run_id, seq"),
    update: database.prepare(`UPDATE sessions SET state = ?, updated_at = ${now}, changes = ${changes} WHERE n = ?`),
    list: database.prepare("SELECT id, updated_at FROM sessions WHERE tenant_id IS ? ORDER BY changes DESC LIMIT ?"),
    search: database.prepare(
      `SELECT sessions.id AS id, text FROM session_messages JOIN sessions ON sessions.n = session
       WHERE tenant_id IS ? AND NOT EXISTS (SELECT 1 FROM json_each(?) AS word WHERE instr(search, word.value) = 0)
       ORDER BY changes DESC, position LIMIT ?`,
    ),
    edit: database.prepare(
      "UPDATE session_messages SET id = ?, text = ?, search = ? WHERE session = ? AND position = ?",
    ),
    remove: database.prepare("DELETE FROM sessions WHERE id = ? AND tenant_id IS ?"),
  };
}
