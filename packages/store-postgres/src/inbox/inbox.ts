import { FencedError } from "@bailiwick/core/store";
import type { RunStore } from "@bailiwick/core/store";
import type { Database } from "../connection/database.ts";
import { fromColumn, toColumn } from "../connection/names.ts";
import { runMissing } from "../run-missing.ts";
import { number, text } from "../connection/statements.ts";
import { fromText, toText } from "../plain-text.ts";
import { now } from "../schema/tables.ts";
import type { Tables } from "../schema/tables.ts";
import type { Notices } from "./notices.ts";

/** Signals to runs. */
export function inboxOf(
  database: Database,
  tables: Tables,
  notices: Notices,
): Pick<RunStore, "signal" | "takeSignals" | "subscribe" | "onReady"> {
  const { runs, inbox } = tables;
  return {
    async signal(runId, { id, name, payload }) {
      const run = toColumn(runId);
      const signal = await database.write(async ({ ask }) => {
        // A process that releases the run either did so earlier and is woken, or does so later and sees the signal.
        const [row] = await ask(`SELECT n FROM ${runs} WHERE id = $1 FOR NO KEY UPDATE`, [run]);
        if (row === undefined) throw await runMissing(ask, tables, runId, database.name);
        const added = await ask(
          `WITH added AS (INSERT INTO ${inbox} (run, id, name, payload) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING n),
             woken AS (UPDATE ${runs} SET state = 'queued', waiting_on = NULL, due_at = NULL, settled_at = NULL, updated_at = ${now}
               WHERE n = $1 AND state IN ('suspended', 'sleeping') AND EXISTS (SELECT FROM added))
           SELECT n, pg_notify($5, $6 || ' ' || n) FROM added`,
          [
            row["n"],
            toColumn(id),
            toColumn(name),
            payload === undefined ? null : toText(payload),
            notices.channel,
            notices.noticeOf(runId),
          ],
        );
        return added[0] && number(added[0], "n");
      });
      if (signal === undefined) return;
      notices.tell(runId, signal);
      notices.tellReady();
    },
    async takeSignals({ runId, owner, epoch }) {
      const rows = await database.read(
        `SELECT waiting.id, waiting.name, waiting.payload FROM ${runs} AS runs LEFT JOIN ${inbox} AS waiting ON waiting.run = runs.n AND NOT waiting.taken
         WHERE runs.id = $1 AND epoch = $2 AND owner = $3 ORDER BY waiting.n`,
        [toColumn(runId), epoch, toColumn(owner)],
      );
      if (rows.length === 0) throw new FencedError(runId);
      return rows.flatMap((row) => {
        if (row["id"] === null) return [];
        const payload = row["payload"];
        return [
          {
            id: fromColumn(text(row, "id")),
            name: fromColumn(text(row, "name")),
            payload: typeof payload === "string" ? fromText<unknown>(payload) : undefined,
          },
        ];
      });
    },
    subscribe: notices.subscribe,
    onReady: notices.onReady,
  };
}
