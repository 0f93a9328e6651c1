import { FencedError, SessionBusyError, StoreError } from "@bailiwick/core/store";
import type { Lease, RunStore } from "@bailiwick/core/store";
import type { Database } from "../connection/database.ts";
import { toColumn } from "../connection/names.ts";
import { runMissing } from "../run-missing.ts";
import { number, text, yes, type Ask, type Row } from "../connection/statements.ts";
import type { Notices } from "../inbox/notices.ts";
import { now } from "../schema/tables.ts";
import type { Tables } from "../schema/tables.ts";
import { isSessionFree } from "./queue-sql.ts";
import { runColumns, toLease, toStoredRun } from "./run-rows.ts";

/** The position of a run in its session: its creation time, in microseconds. */
const order = "floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

/** Creating runs, and leases to write them. */
export function leasesOf(
  database: Database,
  tables: Tables,
  notices: Notices,
): Pick<RunStore, "create" | "acquire" | "renew"> {
  const { name } = database;
  const { runs, inbox } = tables;
  // A shared lock, so that the outer run is not acquired before this commit.
  const outer = (first: number): string => `SELECT FROM ${runs}
    WHERE id = $${first} AND epoch = $${first + 1}::bigint AND owner = $${first + 2} FOR SHARE`;
  const insert = `WITH moment AS (SELECT ${now} AS at), outer_run AS (${outer(19)}),
      holder AS (SELECT $17::text AS owner WHERE $19::text IS NULL OR EXISTS (SELECT FROM outer_run))
    INSERT INTO ${runs} (id, agent_id, definition_hash, session_id, tenant, user_id, parent, parent_run, input, deadline_at, idempotency_key,
      due_at, priority, session_order, words, enqueued_at, mark, owner, expires_at, state, epoch, head_seq, head_hash, attempts, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::double precision, $13, CASE WHEN $14::boolean THEN ${order} END, $15, greatest((SELECT at FROM moment), $12::double precision), $16, (SELECT owner FROM holder), coalesce((SELECT at FROM moment) + $18::double precision, 0),
      CASE WHEN (SELECT owner FROM holder) IS NULL THEN 'queued' ELSE 'running' END,
      CASE WHEN (SELECT owner FROM holder) IS NULL THEN 0 ELSE 1 END, 0, '', 0, (SELECT at FROM moment), (SELECT at FROM moment))
    ON CONFLICT DO NOTHING RETURNING *`;
  const byKey = `SELECT * FROM ${runs} WHERE tenant = $1 AND (user_id IS NULL) = ($2::text IS NULL)
      AND coalesce(user_id, '') = coalesce($2::text, '') AND idempotency_key = $3`;
  const byId = `SELECT * FROM ${runs} WHERE id = $1`;
  const take = `WITH outer_run AS (${outer(5)})
    UPDATE ${runs} SET attempts = attempts + (state = 'running')::int, state = 'running', epoch = epoch + 1, owner = $2,
      expires_at = ${now} + $3::double precision, waiting_on = NULL, due_at = NULL, settled_at = NULL, updated_at = ${now}, mark = $4
    WHERE ($5::text IS NULL OR EXISTS (SELECT FROM outer_run)) AND id = $1 AND (state <> 'running' OR expires_at <= ${now} OR epoch = $8::bigint)
    RETURNING epoch, head_seq, head_hash, expires_at, mark`;
  const isHeld = `SELECT 1 AS held FROM ${runs} WHERE id = $1 AND epoch = $2 AND owner = $3`;
  const fenceInside = `WITH RECURSIVE inside (n, id) AS (
      SELECT n, id FROM ${runs} WHERE parent_run = $1
      UNION SELECT runs.n, runs.id FROM inside JOIN ${runs} AS runs ON runs.parent_run = inside.id),
      fenced AS (SELECT runs.n FROM ${runs} AS runs JOIN inside USING (n) WHERE runs.state = 'running' ORDER BY runs.n FOR NO KEY UPDATE OF runs)
    UPDATE ${runs} AS runs SET state = 'queued', epoch = runs.epoch + 1, owner = NULL, expires_at = 0 FROM fenced WHERE runs.n = fenced.n`;
  // Rows are locked in one order everywhere, to avoid deadlocks.
  const renew = `WITH wanted AS (SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[]) AS lease (id, epoch, owner)),
      held AS (SELECT runs.n FROM ${runs} AS runs JOIN wanted USING (id, epoch, owner) ORDER BY runs.n FOR NO KEY UPDATE OF runs)
    UPDATE ${runs} AS runs SET expires_at = ${now} + $4::double precision FROM held WHERE runs.n = held.n
    RETURNING runs.id, runs.epoch, EXISTS (SELECT FROM ${inbox} WHERE run = runs.n AND NOT taken) AS waiting`;

  /** The run that already has an idempotency key; `values` are the columns of the new one. */
  const keyHolder = async (ask: Ask, key: string | undefined, values: readonly unknown[]): Promise<Row | undefined> =>
    key === undefined ? undefined : (await ask(byKey, [values[4], values[5], toColumn(key)]))[0];

  const create: RunStore["create"] = (record, holder) =>
    database.write(async ({ ask, mark }) => {
      const values = [
        ...runColumns(record),
        mark,
        holder ? toColumn(holder.owner) : null,
        holder?.ttlMs ?? null,
        ...outerColumns(holder?.under),
      ];
      const free = holder === undefined || record.inSession !== true || (await isSessionFree(ask, tables, record));
      for (;;) {
        const [made] = free ? await ask(insert, values) : [];
        const found = made ?? (await ask(byId, [toColumn(record.id)]))[0];
        // A row with the mark was made by an earlier attempt of this call, whose answer was lost.
        if (found?.["mark"] === mark) {
          // The run is left to the process that acquired the outer one.
          if (holder?.under !== undefined && found["owner"] === null) throw new FencedError(record.id);
          const lease = holder && toLease(found, record.id, holder.owner);
          if (lease === undefined) await notices.tellOthers(ask);
          return { run: toStoredRun(found), created: true, lease };
        }
        const known = await keyHolder(ask, record.idempotencyKey, values);
        if (known !== undefined) return { run: toStoredRun(known), created: false };
        if (found !== undefined) {
          throw new StoreError("RUN_EXISTS", `Run "${record.id}" is already in the store "${name}". Use a new id.`, {
            runId: record.id,
          });
        }
        if (!free) throw new SessionBusyError(record.sessionId, record.id);
        // The conflicting row was deleted in the meantime.
      }
    });

  return {
    async create(record, holder) {
      const created = await create(record, holder);
      if (created.created && created.lease === undefined) notices.tellReady();
      return created;
    },
    acquire: (runId, owner, ttlMs, under, gone) =>
      database.write(async ({ ask, mark }) => {
        const [found] = await ask(
          `SELECT *, state = 'running' AND expires_at > ${now} AS driven FROM ${runs} WHERE id = $1`,
          [toColumn(runId)],
        );
        if (found === undefined) throw await runMissing(ask, tables, runId, name);
        if (found["session_order"] !== null && found["mark"] !== mark) {
          if (yes(found, "driven") && number(found, "epoch") !== gone) return null;
          const run = toStoredRun(found);
          if (!(await isSessionFree(ask, tables, run))) throw new SessionBusyError(run.sessionId, runId);
        }
        const values = [toColumn(runId), toColumn(owner), ttlMs, mark, ...outerColumns(under), gone ?? null];
        const [taken] = await ask(take, values);
        const [row] = taken === undefined ? await ask(byId, [toColumn(runId)]) : [taken];
        if (row === undefined) throw await runMissing(ask, tables, runId, name);
        if (row["mark"] === mark) {
          await ask(fenceInside, [toColumn(runId)]);
          return toLease(row, runId, owner);
        }
        if (under !== undefined && (await ask(isHeld, outerColumns(under))).length === 0) throw new FencedError(runId);
        return null;
      }),
    async renew(leases, ttlMs) {
      if (leases.length === 0) return [];
      const renewed = await database.write(({ ask }) =>
        ask(renew, [
          leases.map(({ runId }) => toColumn(runId)),
          leases.map(({ epoch }) => epoch),
          leases.map(({ owner }) => toColumn(owner)),
          ttlMs,
        ]),
      );
      const waiting = new Map(renewed.map((row) => [`${text(row, "epoch")} ${text(row, "id")}`, yes(row, "waiting")]));
      return leases.map(({ runId, epoch }) => {
        const found = waiting.get(`${epoch} ${toColumn(runId)}`);
        return { runId, held: found !== undefined, signalsWaiting: found === true };
      });
    },
  };
}

function outerColumns(under: Lease | undefined): (string | number | null)[] {
  return under === undefined ? [null, null, null] : [toColumn(under.runId), under.epoch, toColumn(under.owner)];
}
