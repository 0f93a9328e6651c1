import { RunNotFoundError, StoreError } from "@bailiwick/core/store";
import type { RunStore } from "@bailiwick/core/store";
import type { Database } from "../connection/database.ts";
import { toColumn } from "../connection/names.ts";
import { text, yes } from "../connection/statements.ts";
import { now } from "../schema/tables.ts";
import type { Tables } from "../schema/tables.ts";
import { runColumns, toLease, toStoredRun } from "./run-rows.ts";

/** Creating runs, and who may write them. */
export function leasesOf(database: Database, tables: Tables): Pick<RunStore, "create" | "acquire" | "renew"> {
  const { name } = database;
  const { runs, inbox } = tables;
  const insert = `INSERT INTO ${runs} (id, agent_id, definition_hash, session_id, tenant, user_id, parent, parent_run, input, deadline_at, idempotency_key,
      mark, owner, expires_at, state, epoch, head_seq, head_hash, attempts, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, coalesce(${now} + $14::double precision, 0),
      CASE WHEN $13::text IS NULL THEN 'ready' ELSE 'running' END, CASE WHEN $13::text IS NULL THEN 0 ELSE 1 END, 0, '', 0, ${now}, ${now})
    ON CONFLICT DO NOTHING RETURNING *`;
  const byKey = `SELECT * FROM ${runs} WHERE tenant = $1 AND idempotency_key = $2`;
  const byId = `SELECT * FROM ${runs} WHERE id = $1`;
  const take = `UPDATE ${runs} SET attempts = attempts + (state = 'running')::int, state = 'running', epoch = epoch + 1, owner = $2,
      expires_at = ${now} + $3::double precision, waiting_on = NULL, wake_at = NULL, updated_at = ${now}, mark = $4
    WHERE id = $1 AND (state <> 'running' OR expires_at <= ${now})
    RETURNING epoch, head_seq, head_hash, expires_at, mark`;
  // Rows are locked in one order everywhere, so that two processes do not wait for each other.
  const renew = `WITH wanted AS (SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[]) AS lease (id, epoch, owner)),
      held AS (SELECT runs.n FROM ${runs} AS runs JOIN wanted USING (id, epoch, owner) ORDER BY runs.n FOR NO KEY UPDATE OF runs)
    UPDATE ${runs} AS runs SET expires_at = ${now} + $4::double precision FROM held WHERE runs.n = held.n
    RETURNING runs.id, runs.epoch, EXISTS (SELECT FROM ${inbox} WHERE run = runs.n AND NOT taken) AS waiting`;

  return {
    create: (record, holder) =>
      database.write(async ({ ask, mark }) => {
        const values = [...runColumns(record), mark, holder ? toColumn(holder.owner) : null, holder?.ttlMs ?? null];
        for (;;) {
          const [made] = await ask(insert, values);
          const found = made ?? (await ask(byId, [toColumn(record.id)]))[0];
          // One that carries the mark was made by this very call, whose answer was lost.
          if (found?.["mark"] === mark) {
            const lease = holder && toLease(found, record.id, holder.owner);
            return { run: toStoredRun(found), created: true, lease };
          }
          const [known] =
            record.idempotencyKey === undefined ? [] : await ask(byKey, [values[4], toColumn(record.idempotencyKey)]);
          if (known !== undefined) return { run: toStoredRun(known), created: false };
          if (found !== undefined) {
            throw new StoreError("RUN_EXISTS", `Run "${record.id}" is already in the store "${name}". Use a new id.`, {
              runId: record.id,
            });
          }
          // What was in the way was deleted meanwhile.
        }
      }),
    acquire: (runId, owner, ttlMs) =>
      database.write(async ({ ask, mark }) => {
        const [taken] = await ask(take, [toColumn(runId), toColumn(owner), ttlMs, mark]);
        if (taken !== undefined) return toLease(taken, runId, owner);
        const [row] = await ask(byId, [toColumn(runId)]);
        if (row === undefined) throw new RunNotFoundError(runId, name);
        return row["mark"] === mark ? toLease(row, runId, owner) : null;
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
