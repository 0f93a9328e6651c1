import type { Outbox } from "@bailiwick/core/store";
import type { Database } from "./connection/database.ts";
import { fromColumn, toColumn } from "./connection/names.ts";
import { number, optionalNumber, text } from "./connection/statements.ts";
import { now } from "./schema/tables.ts";
import type { Tables } from "./schema/tables.ts";

/** Maximum number of settled events that one call forgets, so that no call pays for all of them. */
const mostForgotten = 1_000;

/** Events that wait for their delivery. */
export function outboxOf(database: Database, { outbox }: Tables): Outbox {
  // Rows that another process locks are left to it. A subselect is computed once, so the index can be used.
  const forget = `DELETE FROM ${outbox} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${outbox} WHERE queue = $1 AND due_at IS NULL AND at < $2 ORDER BY at LIMIT ${mostForgotten} FOR UPDATE SKIP LOCKED))`;
  const insert = `INSERT INTO ${outbox} (queue, id, run_id, epoch, at, due_at)
    SELECT $1, id, run_id, epoch, at, ${now} FROM unnest($2::text[], $3::text[], $4::bigint[], $5::double precision[]) AS given (id, run_id, epoch, at)
    ORDER BY id ON CONFLICT DO NOTHING`;
  const take = `WITH due AS (
      SELECT id FROM ${outbox} WHERE queue = $1 AND due_at <= (SELECT ${now}) ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    UPDATE ${outbox} AS event SET attempts = attempts + 1, due_at = ${now} + $3 FROM due
    WHERE event.queue = $1 AND event.id = due.id RETURNING event.id, run_id, epoch, at, attempts`;
  const settle = `UPDATE ${outbox} SET due_at = ${now} + $4::double precision
    WHERE queue = $1 AND id = $2 AND attempts = $3 AND due_at IS NOT NULL RETURNING 1 AS one`;
  return {
    add: (queue, events, forgetBefore) =>
      database.write(async ({ ask }) => {
        if (forgetBefore !== undefined) await ask(forget, [toColumn(queue), forgetBefore]);
        if (events.length === 0) return;
        await ask(insert, [
          toColumn(queue),
          events.map(({ id }) => toColumn(id)),
          events.map(({ runId }) => toColumn(runId)),
          events.map(({ epoch }) => epoch),
          events.map(({ at }) => at),
        ]);
      }),
    async take(queue, limit, ttlMs) {
      const rows = await database.write(({ ask }) => ask(take, [toColumn(queue), limit, ttlMs]));
      return rows
        .map((row) => ({
          id: fromColumn(text(row, "id")),
          runId: fromColumn(text(row, "run_id")),
          epoch: number(row, "epoch"),
          at: number(row, "at"),
          attempts: number(row, "attempts"),
        }))
        .sort((a, b) => a.at - b.at);
    },
    settle: (queue, { id, attempts }, againMs) =>
      database.write(
        async ({ ask }) => (await ask(settle, [toColumn(queue), toColumn(id), attempts, againMs ?? null])).length > 0,
      ),
    async waiting(queue) {
      const [row = {}] = await database.read(
        `SELECT count(*) AS count, min(due_at) AS next FROM ${outbox} WHERE queue = $1 AND due_at IS NOT NULL`,
        [toColumn(queue)],
      );
      return { count: number(row, "count"), nextAt: optionalNumber(row, "next") };
    },
  };
}
