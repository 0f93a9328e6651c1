import type { Database, Statement } from "./database.ts";
import { now } from "./store-clock.ts";

const changes = "(SELECT ifnull(max(changes), 0) + 1 FROM sessions)";

/** The sessions that an owner finds: its own, and those of the tenant unless it has a session with the same id. */
const found = `tenant_id IS ?1 AND (owner = ?2 OR owner = '*' AND NOT EXISTS (
  SELECT 1 FROM sessions AS own WHERE own.tenant_id IS ?1 AND own.owner = ?2 AND own.id = sessions.id
))`;

/** A session's identity, as its index has it. */
const identity = "(tenant_id IS NULL) = (?2 IS NULL) AND ifnull(tenant_id, '') = ifnull(?2, '') AND id = ?1";

/** Prepared statements of the sessions. A tenant is compared with IS: sessions without a tenant are separate. */
export function sessionStatements(
  database: Database,
): Readonly<
  Record<
    | "find"
    | "findOwn"
    | "setOwner"
    | "written"
    | "write"
    | "insert"
    | "nextPosition"
    | "nextVersion"
    | "keepFormer"
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
    find: database.prepare(
      `SELECT n, state, version, owner FROM sessions WHERE ${identity} AND owner IN (?3, '*') ORDER BY owner = '*' LIMIT 1`,
    ),
    findOwn: database.prepare(`SELECT n, state, version, owner FROM sessions WHERE ${identity} AND owner = ?3`),
    setOwner: database.prepare("UPDATE sessions SET owner = ? WHERE n = ?"),
    written: database.prepare("SELECT state FROM session_writes WHERE session = ? AND run_id = ? AND name = ?"),
    write: database.prepare("INSERT INTO session_writes (session, run_id, name, state) VALUES (?, ?, ?, ?)"),
    insert: database.prepare(
      `INSERT INTO sessions (id, tenant_id, owner, state, updated_at, changes, version) VALUES (?, ?, ?, ?, ${now}, ${changes}, 0)`,
    ),
    nextPosition: database.prepare(
      "SELECT ifnull(max(position) + 1, 0) AS position FROM session_messages WHERE session = ?",
    ),
    nextVersion: database.prepare("UPDATE sessions SET version = version + 1 WHERE n = ? RETURNING version"),
    keepFormer: database.prepare(
      `INSERT INTO session_former (session, position, until, text)
       SELECT session, position, ?3, text FROM session_messages WHERE session = ?1 AND position = ?2`,
    ),
    insertMessage: database.prepare(
      "INSERT INTO session_messages (session, position, id, text, search, version) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    copyMessages: database.prepare(
      `INSERT INTO session_messages (session, position, id, text, search, version)
       SELECT ?1, position, id, text, search, ?4 FROM session_messages WHERE session = ?2 AND (?3 IS NULL OR position <= ?3)`,
    ),
    messages: database.prepare(
      `SELECT CASE WHEN ?2 IS NULL THEN text ELSE ifnull((
         SELECT former.text FROM session_former AS former
         WHERE former.session = stored.session AND former.position = stored.position AND former.until > ?2
         ORDER BY former.until LIMIT 1
       ), text) END AS text
       FROM session_messages AS stored WHERE session = ?1 AND (?2 IS NULL OR version <= ?2) ORDER BY position`,
    ),
    position: database.prepare(
      "SELECT position FROM session_messages WHERE session = ? AND id = ? ORDER BY position LIMIT 1",
    ),
    appended: database.prepare(
      "INSERT INTO session_appends (session, run_id, seq) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    ),
    joined: database.prepare("SELECT run_id, seq FROM session_appends WHERE session = ? ORDER BY run_id, seq"),
    update: database.prepare(`UPDATE sessions SET state = ?, updated_at = ${now}, changes = ${changes} WHERE n = ?`),
    list: database.prepare(`SELECT id, updated_at FROM sessions WHERE ${found} ORDER BY changes DESC LIMIT ?3`),
    search: database.prepare(
      `SELECT sessions.id AS id, text FROM session_messages JOIN sessions ON sessions.n = session
       WHERE ${found} AND NOT EXISTS (SELECT 1 FROM json_each(?3) AS word WHERE instr(search, word.value) = 0)
       ORDER BY changes DESC, position LIMIT ?4`,
    ),
    edit: database.prepare(
      "UPDATE session_messages SET id = ?, text = ?, search = ? WHERE session = ? AND position = ?",
    ),
    remove: database.prepare("DELETE FROM sessions WHERE n = ?"),
  };
}
