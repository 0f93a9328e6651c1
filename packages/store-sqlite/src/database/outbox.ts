import type { OutboxCalls } from "../thread/outbox-service.ts";
import type { Database } from "./database.ts";
import type { GroupCommit } from "./group-commit.ts";
import { now } from "./store-clock.ts";

/** Maximum number of settled events that one call forgets, so that no call pays for all of them. */
const mostForgotten = 1_000;

/** The calls of the outbox. */
export function outboxCalls(database: Database, commits: GroupCommit): OutboxCalls {
  const insert = database.prepare(
    `INSERT INTO outbox (queue, id, run_id, epoch, at, due_at) VALUES (?, ?, ?, ?, ?, ${now}) ON CONFLICT DO NOTHING`,
  );
  const forget = database.prepare(
    `DELETE FROM outbox WHERE queue = ?1 AND id IN (
       SELECT id FROM outbox WHERE queue = ?1 AND due_at IS NULL AND at < ?2 ORDER BY at LIMIT ${mostForgotten})`,
  );
  const due = database.prepare(
    `SELECT id, run_id, epoch, at, attempts FROM outbox WHERE queue = ?1 AND due_at <= ${now} ORDER BY due_at, at LIMIT ?2`,
  );
  const take = database.prepare(
    `UPDATE outbox SET attempts = attempts + 1, due_at = ${now} + ?3 WHERE queue = ?1 AND id = ?2`,
  );
  const settle = database.prepare(
    `UPDATE outbox SET due_at = CASE WHEN ?4 IS NULL THEN NULL ELSE ${now} + ?4 END
     WHERE queue = ?1 AND id = ?2 AND attempts = ?3 AND due_at IS NOT NULL`,
  );
  const count = database.prepare(
    "SELECT count(*) AS count, min(due_at) AS next FROM outbox WHERE queue = ?1 AND due_at IS NOT NULL",
  );
  const isDue = database.prepare(`SELECT 1 FROM outbox WHERE queue = ?1 AND due_at <= ${now} LIMIT 1`);

  return {
    addToOutbox: (queue, events, forgetBefore) =>
      commits.write(() => {
        if (forgetBefore !== null) forget.run(queue, forgetBefore);
        for (const { id, runId, epoch, at } of events) insert.run(queue, id, runId, epoch, at);
      }),
    async takeFromOutbox(queue, limit, ttlMs) {
      // A read does not lock out writers.
      if (!(await commits.read(() => isDue.get(queue) !== undefined))) return [];
      return commits.write(() =>
        due.all(queue, limit).map((row) => {
          take.run(queue, row["id"] as string, ttlMs);
          return {
            id: row["id"] as string,
            runId: row["run_id"] as string,
            epoch: row["epoch"] as number,
            at: row["at"] as number,
            attempts: (row["attempts"] as number) + 1,
          };
        }),
      );
    },
    settleInOutbox: (queue, id, attempts, againMs) =>
      commits.write(() => settle.run(queue, id, attempts, againMs).changes > 0),
    waitingInOutbox: (queue) =>
      commits.read(() => {
        const row = count.get(queue);
        return { count: Number(row?.["count"]), nextAt: (row?.["next"] ?? null) as number | null };
      }),
  };
}
