import type { Database, Statement } from "./database.ts";
import { besideInSession } from "./queue-statements.ts";
import { now } from "./store-clock.ts";

const held = "id = ? AND epoch = ? AND owner = ?";
/** Counts unread signals of the names in the JSON of `?5`. */
const unreadSignals =
  "EXISTS (SELECT 1 FROM inbox WHERE run = runs.n AND taken = 0 AND name IN (SELECT value FROM json_each(?5)))";
const waitingSignals = "EXISTS (SELECT 1 FROM inbox WHERE run = runs.n AND taken = 0)";

/** Prepared statements of the runs. */
export function runStatements(
  database: Database,
): Readonly<
  Record<
    | "byKey"
    | "find"
    | "insert"
    | "acquire"
    | "head"
    | "insertEvent"
    | "advance"
    | "take"
    | "renew"
    | "signals"
    | "release"
    | "insertSignal"
    | "wake"
    | "inbox"
    | "events"
    | "event"
    | "isDriven"
    | "sessionDriven"
    | "inside"
    | "fenceInside"
    | "isHeld"
    | "remove"
    | "hashAt"
    | "claim"
    | "ownerOf"
    | "ofSession"
    | "forget"
    | "noteDeleted"
    | "isDeleted",
    Statement
  >
> {
  return {
    byKey: database.prepare(
      `SELECT * FROM runs WHERE (tenant_id IS NULL) = (?1 IS NULL) AND ifnull(tenant_id, '') = ifnull(?1, '')
         AND (user_id IS NULL) = (?2 IS NULL) AND ifnull(user_id, '') = ifnull(?2, '') AND idempotency_key = ?3`,
    ),
    find: database.prepare("SELECT * FROM runs WHERE id = ?"),
    insert: database.prepare(
      `INSERT INTO runs (id, agent_id, definition_hash, session_id, tenant_id, user_id, parent, input, deadline_at, idempotency_key,
         due_at, priority, session_order, words, state, epoch, owner, expires_at, head_seq, head_hash, attempts, enqueued_at, created_at, updated_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, CASE WHEN ?13 THEN (SELECT coalesce(max(n), 0) + 1 FROM runs) END, ?14,
         'queued', 0, NULL, 0, 0, '', 0, max(${now}, ifnull(?11, 0)), ${now}, ${now})`,
    ),
    acquire: database.prepare(
      `UPDATE runs SET attempts = attempts + (state = 'running'), state = 'running', epoch = epoch + 1, owner = ?1, expires_at = ${now} + ?2,
         waiting_on = NULL, due_at = NULL, settled_at = NULL, updated_at = ${now}
       WHERE id = ?3 AND (state <> 'running' OR expires_at <= ${now} OR epoch = ?4)
       RETURNING epoch, head_seq, head_hash, expires_at`,
    ),
    head: database.prepare(`SELECT n, head_seq, head_hash FROM runs WHERE ${held}`),
    insertEvent: database.prepare("INSERT INTO events (run, seq, key, hash, text) VALUES (?, ?, ?, ?, ?)"),
    advance: database.prepare(
      `UPDATE runs SET head_seq = ?1, head_hash = ?2, attempts = CASE WHEN ?3 THEN 0 ELSE attempts END, updated_at = ${now},
         cost_usd = CASE WHEN ?5 IS NULL THEN cost_usd ELSE ifnull(cost_usd, 0) + ?5 END, tokens = tokens + ?6,
         model_calls = model_calls + ?7, tool_calls = tool_calls + ?8,
         tools = CASE WHEN instr(tools, ?9) THEN tools ELSE tools || ?9 END, stop_reason = ifnull(?10, stop_reason),
         words = CASE WHEN ?11 = '' THEN words ELSE words || char(10) || ?11 END
       WHERE n = ?4`,
    ),
    take: database.prepare(
      "INSERT INTO inbox (run, id, name, payload, taken) VALUES (?, ?, ?, NULL, 1) ON CONFLICT DO UPDATE SET taken = 1, payload = NULL",
    ),
    renew: database.prepare(`UPDATE runs SET expires_at = ${now} + ? WHERE ${held}`),
    signals: database.prepare(`SELECT ${waitingSignals} AS waiting FROM runs WHERE id = ?`),
    release: database.prepare(
      `UPDATE runs SET owner = NULL, expires_at = 0, attempts = 0, updated_at = ${now},
         state = CASE WHEN ?1 IN ('suspended', 'sleeping') AND ${waitingSignals} OR ${unreadSignals} THEN 'queued' ELSE ?1 END,
         waiting_on = CASE WHEN ?1 = 'suspended' AND NOT ${waitingSignals} THEN ?2 END,
         due_at = CASE WHEN ?1 = 'queued' OR (?1 = 'sleeping' AND NOT ${waitingSignals}) THEN ?3 END,
         settled_at = CASE WHEN ?1 IN ('stopped', 'cancelled', 'failed', 'stuck') OR (?1 = 'suspended' AND NOT ${waitingSignals}) OR (?1 = 'completed' AND NOT ${unreadSignals}) THEN ${now} END
       WHERE n = ?4`,
    ),
    insertSignal: database.prepare(
      "INSERT INTO inbox (run, id, name, payload) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    ),
    wake: database.prepare(
      `UPDATE runs SET state = 'queued', waiting_on = NULL, due_at = NULL, settled_at = NULL, updated_at = ${now} WHERE n = ? AND state IN ('suspended', 'sleeping')`,
    ),
    inbox: database.prepare("SELECT id, name, payload FROM inbox WHERE run = ? AND taken = 0 ORDER BY n"),
    events: database.prepare("SELECT seq, hash, text FROM events WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?"),
    event: database.prepare("SELECT text FROM events JOIN runs ON runs.n = run WHERE runs.id = ? AND key = ?"),
    hashAt: database.prepare("SELECT hash FROM events WHERE run = ? AND seq = ?"),
    isDriven: database.prepare(
      `SELECT 1 FROM runs WHERE id = ?1 AND state = 'running' AND expires_at > ${now} AND epoch IS NOT ?2`,
    ),
    sessionDriven: database.prepare(
      `SELECT runs.session_id FROM runs WHERE id = ? AND EXISTS (
         SELECT 1 FROM runs AS other WHERE ${besideInSession} AND other.state = 'running' AND other.expires_at > ${now})`,
    ),
    inside: database.prepare(
      `WITH RECURSIVE inside (n, id) AS (
         SELECT n, id FROM runs WHERE id = ?
         UNION SELECT runs.n, runs.id FROM inside
           CROSS JOIN runs ON json_extract(runs.parent, '$.runId') = +inside.id AND runs.parent IS NOT NULL
       ) SELECT n, id FROM inside`,
    ),
    // Acquiring a run ends the leases on all runs inside its calls.
    fenceInside: database.prepare(
      `UPDATE runs SET state = 'queued', epoch = epoch + 1, owner = NULL, expires_at = 0 WHERE state = 'running' AND n IN (
         WITH RECURSIVE inside (n, id) AS (
           SELECT n, id FROM runs WHERE parent IS NOT NULL AND json_extract(parent, '$.runId') = ?1
           UNION SELECT runs.n, runs.id FROM inside
             CROSS JOIN runs ON json_extract(runs.parent, '$.runId') = +inside.id AND runs.parent IS NOT NULL
         ) SELECT n FROM inside)`,
    ),
    isHeld: database.prepare(`SELECT 1 FROM runs WHERE ${held}`),
    remove: database.prepare("DELETE FROM runs WHERE n = ?"),
    // If the user has the key for another run, that run keeps it.
    claim: database.prepare(
      `WITH RECURSIVE claimed (n, id) AS (
         SELECT n, id FROM runs WHERE session_id = ?1 AND tenant_id IS ?2 AND user_id IS NULL
         UNION SELECT runs.n, runs.id FROM claimed
           CROSS JOIN runs ON json_extract(runs.parent, '$.runId') = +claimed.id AND runs.parent IS NOT NULL
           WHERE runs.user_id IS NULL
       ) UPDATE runs SET user_id = ?3, idempotency_key = CASE WHEN NOT EXISTS (
           SELECT 1 FROM runs AS other WHERE other.tenant_id IS ?2 AND other.user_id = ?3
             AND other.idempotency_key = runs.idempotency_key
         ) THEN idempotency_key END
       WHERE n IN (SELECT n FROM claimed)`,
    ),
    ownerOf: database.prepare("SELECT user_id FROM runs WHERE n = ?"),
    // A shared session, with ?4, is that of each user of the tenant who has none of this id.
    ofSession: database.prepare(
      `SELECT id, parent IS NULL AS outer, state NOT IN ('completed', 'stopped', 'cancelled', 'failed') AS open FROM runs
       WHERE session_id = ?1 AND tenant_id IS ?2 AND CASE WHEN ?4 THEN NOT EXISTS (
         SELECT 1 FROM sessions WHERE sessions.tenant_id IS ?2 AND sessions.id = ?1
           AND sessions.owner = CASE WHEN runs.user_id IS NULL THEN '' ELSE '=' || runs.user_id END
       ) ELSE user_id IS ?3 END`,
    ),
    forget: database.prepare("DELETE FROM ledger WHERE run_id = ?"),
    noteDeleted: database.prepare("INSERT INTO deleted_runs (id) VALUES (?) ON CONFLICT DO NOTHING"),
    isDeleted: database.prepare("SELECT 1 FROM deleted_runs WHERE id = ?"),
  };
}
