import type { RunStore } from "@bailiwick/core/store";
import { removeUnused, sweepBlobs } from "../blobs.ts";
import type { Database } from "../connection/database.ts";
import { toColumn } from "../connection/names.ts";
import { number, text, yes } from "../connection/statements.ts";
import type { Ask } from "../connection/statements.ts";
import { now } from "../schema/tables.ts";
import type { Tables } from "../schema/tables.ts";

/** Removes runs, with the data that no other run uses. */
export function deletionOf(database: Database, tables: Tables): Pick<RunStore, "deleteRun"> {
  const { runs } = tables;
  return {
    deleteRun: (runId, epoch) =>
      database.write(async ({ ask }) => {
        // Locked before the others: a process that acquires the run either did so earlier, or no longer finds it.
        const [run] = await ask(`SELECT epoch, state FROM ${runs} WHERE id = $1 FOR UPDATE`, [toColumn(runId)]);
        if (run === undefined) return false;
        if (epoch !== undefined && (number(run, "epoch") !== epoch || text(run, "state") === "running")) return false;
        await removeRuns(ask, tables, [toColumn(runId)]);
        return true;
      }),
  };
}

/** In a transaction: removes runs and the runs inside their calls, at any depth; returns their ids as columns. */
export async function removeRuns(ask: Ask, tables: Tables, ids: readonly string[]): Promise<readonly string[]> {
  const { runs, blobs, blobUses } = tables;
  const gone = await ask(
    `WITH RECURSIVE gone AS (
       SELECT n, id FROM ${runs} WHERE id = ANY ($1::text[])
       UNION
       SELECT runs.n, runs.id FROM ${runs} AS runs JOIN gone ON runs.parent_run = gone.id
     ) SELECT n, id FROM ${runs} WHERE n IN (SELECT n FROM gone) ORDER BY n FOR UPDATE`,
    [ids],
  );
  const numbers = gone.map((row) => text(row, "n"));
  // Locked before the search for their users: a record of another run that names one is written either before or
  // after.
  const used = await ask(
    `SELECT hash, awaited > 0 AND awaited_until > ${now} AS awaited FROM ${blobs} AS blobs WHERE hash IN (SELECT hash FROM ${blobUses} WHERE run = ANY ($1::bigint[])) ORDER BY hash FOR UPDATE`,
    [numbers],
  );
  await ask(`DELETE FROM ${runs} WHERE n = ANY ($1::bigint[])`, [numbers]);
  const hashes = (awaited: boolean): string[] =>
    used.filter((row) => yes(row, "awaited") === awaited).map((row) => text(row, "hash"));
  await removeUnused(ask, tables, hashes(false));
  // Stored for a record that is still expected. Removed if none arrives, and no other run uses them.
  const left = hashes(true);
  if (left.length > 0) await ask(`UPDATE ${blobs} SET deleted = true WHERE hash = ANY ($1::text[])`, [left]);
  await sweepBlobs(ask, tables);
  return gone.map((row) => text(row, "id"));
}
