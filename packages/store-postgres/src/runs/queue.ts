import type { Claim, ClaimRequest, RunStore } from "@bailiwick/core/store";
import type { Database, Transaction } from "../connection/database.ts";
import { fromColumn, optionalName, toColumn, toTenant } from "../connection/names.ts";
import { runMissing } from "../run-missing.ts";
import { number, optionalNumber, text, yes } from "../connection/statements.ts";
import type { Row } from "../connection/statements.ts";
import type { Notices } from "../inbox/notices.ts";
import { moment, now } from "../schema/tables.ts";
import type { Tables } from "../schema/tables.ts";
import { claimLimits, queuedInOrder, type ClaimLimits } from "./claim-order.ts";
import { isBehind, sessionDriven, sessionLockKey } from "./queue-sql.ts";
import { toLease, toStoredRun } from "./run-rows.ts";

/** Maximum number of due runs that one claim queues. */
const mostPromoted = 1_000;

/** The calls of workers. */
export function queueOf(
  database: Database,
  tables: Tables,
  notices: Notices,
): Pick<RunStore, "claim" | "requeue" | "queueDepth"> {
  const { runs } = tables;
  const outermost = "agent_id = ANY ($1::text[]) AND parent_run IS NULL";
  const look = `SELECT
      EXISTS (SELECT FROM ${runs} WHERE ${outermost} AND state = 'queued' AND due_at IS NULL)
        OR EXISTS (SELECT FROM ${runs} WHERE ${outermost} AND state IN ('queued', 'sleeping') AND due_at <= ${now})
        OR EXISTS (SELECT FROM ${runs} WHERE ${outermost} AND state = 'running' AND expires_at <= ${now}) AS due,
      EXISTS (SELECT FROM ${runs} WHERE ${outermost} AND state = 'running' AND expires_at <= ${now} AND attempts > 0) AS suspects,
      least((SELECT min(due_at) FROM ${runs} WHERE ${outermost} AND state IN ('queued', 'sleeping') AND due_at > ${now}),
        (SELECT min(expires_at) FROM ${runs} WHERE ${outermost} AND state = 'running')) AS next_due`;
  const promote = `UPDATE ${runs} AS runs SET state = 'queued', due_at = NULL, waiting_on = NULL FROM (
      SELECT n FROM ${runs} WHERE ${outermost} AND state IN ('queued', 'sleeping') AND due_at <= ${now}
      ORDER BY due_at LIMIT ${mostPromoted} FOR NO KEY UPDATE SKIP LOCKED) AS due WHERE runs.n = due.n`;
  const stick = `UPDATE ${runs} AS runs SET state = 'stuck', epoch = epoch + 1, owner = NULL, expires_at = 0, updated_at = moment.at, settled_at = moment.at FROM ${moment}, (
      SELECT n FROM ${runs} WHERE ${outermost} AND state = 'running' AND expires_at <= ${now} AND attempts >= $2
      FOR NO KEY UPDATE SKIP LOCKED) AS dead WHERE runs.n = dead.n RETURNING id`;
  const fits = `runs.agent_id = agent.id AND runs.parent_run IS NULL AND runs.tenant <> ALL ($3::text[])
      AND (NOT $2::jsonb ? runs.agent_id OR $2::jsonb -> runs.agent_id ? runs.definition_hash)`;
  const columns = `runs.n, runs.id, runs.tenant, runs.agent_id AS agent, runs.session_order, ${sessionLockKey} AS session`;
  // Locked runs belong to another claim: they are skipped without waiting.
  const expired = `SELECT found.* FROM unnest($1::text[]) AS agent (id) CROSS JOIN LATERAL (
      SELECT ${columns}, runs.expires_at FROM ${runs} AS runs WHERE ${fits} AND runs.state = 'running' AND runs.expires_at <= ${now}
        AND (runs.attempts > 0) = $5::boolean AND NOT ${sessionDriven(tables)}
      ORDER BY runs.expires_at LIMIT $4 FOR NO KEY UPDATE OF runs SKIP LOCKED) AS found ORDER BY found.expires_at LIMIT $4`;
  const lockQueued = `SELECT n FROM ${runs} WHERE n = ANY ($1::bigint[]) AND state = 'queued' ORDER BY n FOR NO KEY UPDATE SKIP LOCKED`;
  const lockSessions = `SELECT session, pg_try_advisory_xact_lock(hashtextextended(session, 0)) AS got FROM unnest($1::text[]) AS wanted (session)`;
  const take = `UPDATE ${runs} AS runs SET attempts = attempts + (state = 'running')::int, state = 'running', epoch = epoch + 1, owner = $2,
      expires_at = ${now} + $3::double precision, waiting_on = NULL, due_at = NULL, settled_at = NULL, updated_at = ${now}, mark = $4,
      claimed_at = ${now}, turn = coalesce(served.turn, runs.turn)
    FROM unnest($1::bigint[], $5::double precision[]) AS served (chosen, turn)
    WHERE runs.n = served.chosen AND ((state = 'running' AND NOT ${sessionDriven(tables)}) OR (state = 'queued' AND NOT ${isBehind(tables)})) RETURNING runs.*`;
  const fenceInside = `WITH RECURSIVE inside (n, id) AS (
      SELECT n, id FROM ${runs} WHERE parent_run = ANY ($1::text[])
      UNION SELECT runs.n, runs.id FROM inside JOIN ${runs} AS runs ON runs.parent_run = inside.id)
    UPDATE ${runs} AS runs SET state = 'queued', epoch = runs.epoch + 1, owner = NULL, expires_at = 0 FROM inside
    WHERE runs.n = inside.n AND runs.state = 'running'`;

  /** Keeps the first of several runs of one session, and only if no other claim has the session. */
  async function inFreeSessions({ ask }: Transaction, found: readonly Row[]): Promise<readonly Row[]> {
    const seen = new Set<string>();
    const first = found.filter((row) => {
      if (row["session_order"] === null) return true;
      const session = text(row, "session");
      return seen.size < seen.add(session).size;
    });
    if (seen.size === 0) return first;
    const locked = await ask(lockSessions, [[...seen]]);
    const got = new Set(locked.filter((row) => yes(row, "got")).map((row) => text(row, "session")));
    return first.filter((row) => row["session_order"] === null || got.has(text(row, "session")));
  }

  async function claimNow(
    transaction: Transaction,
    request: ClaimRequest,
    agents: readonly string[],
  ): Promise<readonly Row[]> {
    const { ask, mark } = transaction;
    const hashes = Object.fromEntries(
      request.agents.flatMap(({ agentId, definitionHashes }) =>
        definitionHashes === undefined ? [] : [[toColumn(agentId), definitionHashes.map(toColumn)]],
      ),
    );
    const values = [agents, JSON.stringify(hashes), (request.exceptTenants ?? []).map(toTenant)];
    const limits = await claimLimits(ask, tables, request);
    const chosen = new Map<string, number | null>();
    for (const row of await inFreeSessions(
      transaction,
      await ask(expired, [...values, request.limit, request.suspects]),
    )) {
      if (limits !== undefined && !(await limits.allow(row))) continue;
      limits?.taken(row);
      chosen.set(text(row, "n"), null);
    }
    if (!request.suspects && chosen.size < request.limit)
      await chooseQueued(transaction, request, values, limits, chosen);
    if (chosen.size === 0) return [];
    const taken = await ask(take, [
      [...chosen.keys()],
      toColumn(request.owner),
      request.ttlMs,
      mark,
      [...chosen.values()],
    ]);
    await ask(fenceInside, [taken.map((row) => text(row, "id"))]);
    const order = [...chosen.keys()];
    return taken.toSorted((a, b) => order.indexOf(text(a, "n")) - order.indexOf(text(b, "n")));
  }

  /** Locks queued runs in the order of the claim, and skips those that another claim has. */
  async function chooseQueued(
    transaction: Transaction,
    request: ClaimRequest,
    values: readonly unknown[],
    limits: ClaimLimits | undefined,
    chosen: Map<string, number | null>,
  ): Promise<void> {
    const queue = await queuedInOrder(transaction.ask, tables, fits, values, request);
    for (let isEmpty = false; !isEmpty && chosen.size < request.limit;) {
      const wanted = new Map<string, { readonly row: Row; readonly turn: number }>();
      while (chosen.size + wanted.size < request.limit) {
        const row = queue.next();
        isEmpty = row === undefined;
        if (row === undefined) break;
        wanted.set(text(row, "n"), { row, turn: queue.served(row) });
        // With limits, each run is counted before the next one is looked at.
        if (limits !== undefined) break;
      }
      if (wanted.size === 0) return;
      const locked = await transaction.ask(lockQueued, [[...wanted.keys()]]);
      const held = new Set(locked.map((row) => text(row, "n")));
      const mine = [...wanted.values()].flatMap(({ row }) => (held.has(text(row, "n")) ? [row] : []));
      for (const row of await inFreeSessions(transaction, mine)) {
        if (limits !== undefined && !(await limits.allow(row))) continue;
        limits?.taken(row);
        chosen.set(text(row, "n"), wanted.get(text(row, "n"))?.turn ?? null);
      }
    }
  }

  return {
    async claim(request): Promise<Claim> {
      const agents = request.agents.map(({ agentId }) => toColumn(agentId));
      const [before] = await database.read(look, [agents]);
      if (before === undefined || !yes(before, "due")) return claimOf(request, [], [], before);
      let tried: readonly string[] = [];
      return database.write(async (transaction) => {
        const { ask, mark } = transaction;
        // Claimed by an earlier attempt of this call, whose answer was lost.
        const had =
          tried.length === 0
            ? []
            : await ask(`SELECT * FROM ${runs} WHERE n = ANY ($1::bigint[]) AND mark = $2`, [tried, mark]);
        if (had.length > 0) return claimOf(request, had, [], before);
        await ask(promote, [agents]);
        const stuck = (await ask(stick, [agents, request.maxAttempts])).map((row) => fromColumn(text(row, "id")));
        const rows = await claimNow(transaction, request, agents);
        tried = rows.map((row) => text(row, "n"));
        const [after] = await ask(look, [agents]);
        return claimOf(request, rows, stuck, after);
      });
    },
    async requeue(runId, epoch, dueAt) {
      const queued = await database.write(async ({ ask, mark }) => {
        const [row] = await ask(`SELECT mark, epoch, state FROM ${runs} WHERE id = $1 FOR NO KEY UPDATE`, [
          toColumn(runId),
        ]);
        if (row === undefined) throw await runMissing(ask, tables, runId, database.name);
        if (row["mark"] === mark) return true;
        if (number(row, "epoch") !== epoch || !["queued", "stuck", "failed"].includes(text(row, "state"))) return false;
        await ask(
          `UPDATE ${runs} SET state = 'queued', due_at = $2, attempts = 0, settled_at = NULL, updated_at = ${now}, mark = $3 WHERE id = $1`,
          [toColumn(runId), dueAt ?? null, mark],
        );
        await notices.tellOthers(ask);
        return true;
      });
      if (queued) notices.tellReady();
      return queued;
    },
    async queueDepth() {
      const waits = "state IN ('queued', 'sleeping')";
      const isDue = `(due_at IS NULL OR due_at <= ${now})`;
      const rows = await database.read(
        `SELECT agent_id, count(*) FILTER (WHERE ${waits} AND ${isDue}) AS queued, count(*) FILTER (WHERE ${waits} AND NOT ${isDue}) AS delayed,
           count(*) FILTER (WHERE state = 'running') AS running, count(*) FILTER (WHERE state = 'stuck') AS stuck,
           min(enqueued_at) FILTER (WHERE ${waits} AND ${isDue}) AS oldest,
           (array_agg(id ORDER BY enqueued_at, n) FILTER (WHERE ${waits} AND ${isDue}))[1] AS oldest_id
         FROM ${runs} WHERE parent_run IS NULL AND state IN ('queued', 'sleeping', 'running', 'stuck') GROUP BY agent_id ORDER BY agent_id`,
      );
      return rows.map((row) => ({
        agentId: fromColumn(text(row, "agent_id")),
        queued: number(row, "queued"),
        delayed: number(row, "delayed"),
        running: number(row, "running"),
        stuck: number(row, "stuck"),
        oldestQueuedAt: optionalNumber(row, "oldest"),
        oldestQueuedId: optionalName(row["oldest_id"]),
      }));
    },
  };
}

function claimOf(
  { owner }: ClaimRequest,
  rows: readonly Row[],
  stuck: readonly string[],
  look: Row | undefined,
): Claim {
  return {
    runs: rows.map((row) => {
      const run = toStoredRun(row);
      return { run, lease: toLease(row, run.id, owner) };
    }),
    stuck,
    suspects: look !== undefined && yes(look, "suspects"),
    nextDueAt: look === undefined ? undefined : optionalNumber(look, "next_due"),
  };
}
