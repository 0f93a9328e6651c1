import type { SessionStore } from "@bailiwick/core/store";
import type { Database } from "../connection/database.ts";
import { sharedOwner } from "../connection/names.ts";
import { text, yes } from "../connection/statements.ts";
import { removeRuns } from "../runs/deletion.ts";
import type { Tables } from "../schema/tables.ts";
import { findSession, sessionColumns } from "./join-session.ts";

/** Deletes a session with its runs, and their rows of the ledger. */
export function deletionOf(database: Database, tables: Tables): SessionStore["delete"] {
  const { sessions, runs, ledger, deletedRuns } = tables;
  return (id, options) => {
    // Kept over attempts: an earlier one whose answer was lost has found the runs.
    let counted = { runs: 0, open: 0 };
    return database.write(async ({ ask }) => {
      const columns = sessionColumns(id, options);
      const [session] = await ask(
        `DELETE FROM ${sessions} WHERE n = ${findSession(sessions)} RETURNING owner`,
        columns,
      );
      const [tenant, owner, column] = columns;
      // A shared session is that of each user of the tenant who has none of this id.
      const ofUser = "CASE WHEN runs.user_id IS NULL THEN '' ELSE '=' || runs.user_id END";
      const isOwn =
        session?.["owner"] === sharedOwner
          ? `NOT EXISTS (SELECT FROM ${sessions} AS own WHERE own.tenant = $1 AND own.id = $2 AND own.owner = ${ofUser})`
          : `${ofUser} = $3`;
      const own = await ask(
        `SELECT id, parent_run IS NULL AS outermost, state NOT IN ('completed', 'stopped', 'cancelled', 'failed') AS open
         FROM ${runs} AS runs WHERE tenant = $1 AND session_id = $2 AND ${isOwn} AND $3::text IS NOT NULL ORDER BY n FOR UPDATE`,
        [tenant, column, owner],
      );
      if (own.length === 0) return counted;
      const gone = await removeRuns(
        ask,
        tables,
        own.map((row) => text(row, "id")),
      );
      await ask(`DELETE FROM ${ledger} WHERE run_id = ANY ($1::text[])`, [gone]);
      await ask(`INSERT INTO ${deletedRuns} (id) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`, [gone]);
      const outer = own.filter((row) => yes(row, "outermost"));
      counted = { runs: outer.length, open: outer.filter((row) => yes(row, "open")).length };
      return counted;
    });
  };
}
