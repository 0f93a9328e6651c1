import type { Database, Statement } from "./database.ts";
import { now } from "./store-clock.ts";

const isDue = "(due_at IS NULL OR due_at <= " + now + ")";

/** Another run of the same session. `runs` is the run in question. */
export const besideInSession = `runs.session_order IS NOT NULL AND other.session_order IS NOT NULL AND other.n <> runs.n
  AND other.session_id = runs.session_id AND other.tenant_id IS runs.tenant_id AND other.user_id IS runs.user_id`;

const sessionDriven = `EXISTS (SELECT 1 FROM runs AS other WHERE ${besideInSession} AND other.state = 'running' AND other.expires_at > ${now})`;
/** A run waits for each driven run of its session, and for earlier ones that are queued. */
const isBehind = `EXISTS (SELECT 1 FROM runs AS other WHERE ${besideInSession} AND (other.state = 'running'
  OR (other.state = 'queued' AND other.session_order < runs.session_order AND (other.due_at IS NULL OR other.due_at <= ${now} OR other.epoch > 0))))`;
const wanted = `agent_id = ?1 AND parent IS NULL AND (?2 IS NULL OR definition_hash IN (SELECT value FROM json_each(?2)))
  AND NOT EXISTS (SELECT 1 FROM json_each(?3) WHERE value IS runs.tenant_id)`;

/** Columns that a claim reads: the input of a run may be long. */
const columns = "n, id, agent_id, tenant_id, priority, expires_at";
const isReady = "state = 'queued' AND due_at IS NULL AND parent IS NULL";
const isDriven = `state = 'running' AND parent IS NULL AND expires_at > ${now}`;
const minuteMs = 60_000;

/** Maximum number of due runs that one claim queues. */
const mostPromoted = 1_000;

/** Prepared statements of the queue. */
export function queueStatements(
  database: Database,
): Readonly<
  Record<
    | "find"
    | "promote"
    | "stick"
    | "expired"
    | "tenants"
    | "turn"
    | "noteTurn"
    | "tenantUse"
    | "agentUse"
    | "queued"
    | "sessionDriven"
    | "anythingDue"
    | "suspect"
    | "nextDue"
    | "requeue"
    | "depth",
    Statement
  >
> {
  return {
    find: database.prepare("SELECT * FROM runs WHERE id = ?"),
    promote: database.prepare(
      `UPDATE runs SET state = 'queued', due_at = NULL, waiting_on = NULL WHERE n IN (
         SELECT n FROM runs WHERE agent_id = ? AND parent IS NULL AND state IN ('queued', 'sleeping') AND due_at <= ${now}
         ORDER BY due_at LIMIT ${mostPromoted})`,
    ),
    stick: database.prepare(
      `UPDATE runs SET state = 'stuck', epoch = epoch + 1, owner = NULL, expires_at = 0, updated_at = ${now}, settled_at = ${now}
       WHERE agent_id = ?1 AND parent IS NULL AND state = 'running' AND expires_at <= ${now} AND attempts >= ?2 RETURNING id`,
    ),
    expired: database.prepare(
      `SELECT ${columns} FROM runs WHERE ${wanted} AND state = 'running' AND expires_at <= ${now} AND (attempts > 0) = ?5 AND NOT ${sessionDriven}
       ORDER BY expires_at LIMIT ?4`,
    ),
    // One step of the index for each tenant, however many runs it has.
    tenants: database.prepare(
      `WITH RECURSIVE waiting (tenant) AS (
         SELECT min(tenant_id) FROM runs INDEXED BY runs_queued WHERE agent_id = ?1 AND ${isReady} AND tenant_id IS NOT NULL
         UNION ALL SELECT (SELECT min(tenant_id) FROM runs INDEXED BY runs_queued WHERE agent_id = ?1 AND ${isReady} AND tenant_id > waiting.tenant)
         FROM waiting WHERE waiting.tenant IS NOT NULL
       ) SELECT tenant FROM waiting WHERE tenant IS NOT NULL
       UNION ALL SELECT NULL WHERE EXISTS (SELECT 1 FROM runs INDEXED BY runs_queued WHERE agent_id = ?1 AND ${isReady} AND tenant_id IS NULL)`,
    ),
    turn: database.prepare(
      "SELECT max(turn) AS turn FROM runs WHERE agent_id = ?1 AND tenant_id IS ?2 AND turn IS NOT NULL",
    ),
    noteTurn: database.prepare(`UPDATE runs SET turn = ifnull(?2, turn), claimed_at = ${now} WHERE n = ?1`),
    tenantUse: database.prepare(
      `SELECT (SELECT count(*) FROM runs WHERE ${isDriven} AND tenant_id IS ?1) AS driven,
         (SELECT count(*) FROM runs WHERE tenant_id IS ?1 AND claimed_at > ${now} - ${minuteMs}) AS started`,
    ),
    agentUse: database.prepare(
      `SELECT (SELECT count(*) FROM runs WHERE ${isDriven} AND agent_id = ?1) AS driven,
         (SELECT count(*) FROM runs WHERE agent_id = ?1 AND claimed_at > ${now} - ${minuteMs}) AS started`,
    ),
    queued: database.prepare(
      `SELECT ${columns} FROM runs INDEXED BY runs_queued WHERE ${wanted} AND tenant_id IS ?5 AND state = 'queued' AND due_at IS NULL AND NOT ${isBehind} ORDER BY priority DESC, n LIMIT ?4`,
    ),
    sessionDriven: database.prepare(`SELECT 1 FROM runs WHERE n = ? AND ${sessionDriven}`),
    anythingDue: database.prepare(
      `SELECT 1 WHERE EXISTS (SELECT 1 FROM runs WHERE agent_id = ?1 AND parent IS NULL AND state = 'queued' AND due_at IS NULL)
         OR EXISTS (SELECT 1 FROM runs WHERE agent_id = ?1 AND parent IS NULL AND state IN ('queued', 'sleeping') AND due_at <= ${now})
         OR EXISTS (SELECT 1 FROM runs WHERE agent_id = ?1 AND parent IS NULL AND state = 'running' AND expires_at <= ${now})`,
    ),
    suspect: database.prepare(
      `SELECT 1 FROM runs WHERE agent_id = ? AND parent IS NULL AND state = 'running' AND expires_at <= ${now} AND attempts > 0 LIMIT 1`,
    ),
    nextDue: database.prepare(
      `SELECT min(at) AS at FROM (
         SELECT min(due_at) AS at FROM runs WHERE agent_id = ?1 AND parent IS NULL AND state IN ('queued', 'sleeping') AND due_at > ${now}
         UNION ALL SELECT min(expires_at) FROM runs WHERE agent_id = ?1 AND parent IS NULL AND state = 'running')`,
    ),
    requeue: database.prepare(
      `UPDATE runs SET state = 'queued', due_at = ?1, attempts = 0, updated_at = ${now}, settled_at = NULL
       WHERE n = ?2 AND epoch = ?3 AND state IN ('queued', 'stuck', 'failed')`,
    ),
    depth: database.prepare(
      // With one min(), SQLite takes plain columns from the row that has the minimum.
      `SELECT agent_id, id AS oldest_id, sum(state IN ('queued', 'sleeping') AND ${isDue}) AS queued, sum(state IN ('queued', 'sleeping') AND NOT ${isDue}) AS delayed,
         sum(state = 'running') AS running, sum(state = 'stuck') AS stuck,
         min(CASE WHEN state IN ('queued', 'sleeping') AND ${isDue} THEN enqueued_at END) AS oldest
       FROM runs WHERE parent IS NULL AND state IN ('queued', 'sleeping', 'running', 'stuck') GROUP BY agent_id ORDER BY agent_id`,
    ),
  };
}
