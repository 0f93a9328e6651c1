import type { RunStore } from "@bailiwick/core";
import type { Database } from "../connection/database.ts";
import { toColumn } from "../connection/names.ts";
import { text } from "../connection/statements.ts";
import type { Tables } from "../schema/tables.ts";

/** Removing runs, with what is theirs alone. */
export function deletionOf(database: Database, { runs, blobs, blobUses }: Tables): Pick<RunStore, "deleteRun"> {
  return {
    deleteRun: (runId) =>
      database.write(async ({ ask }) => {
        // The runs inside its calls go with it, and theirs.
        const gone = await ask(
          `WITH RECURSIVE gone AS (
             SELECT n, id FROM ${runs} WHERE id = $1
             UNION
             SELECT runs.n, runs.id FROM ${runs} AS runs JOIN gone ON runs.parent_run = gone.id
           ) SELECT n FROM ${runs} WHERE n IN (SELECT n FROM gone) ORDER BY n FOR UPDATE`,
          [toColumn(runId)],
        );
        if (gone.length === 0) return;
        const numbers = gone.map((row) => text(row, "n"));
        // Locked before it is asked who uses them: a record of another run that names one comes before or after.
        const used = await ask(
          `SELECT blobs.hash FROM ${blobs} AS blobs WHERE hash IN (SELECT hash FROM ${blobUses} WHERE run = ANY ($1::bigint[])) ORDER BY hash FOR UPDATE`,
          [numbers],
        );
        await ask(`DELETE FROM ${runs} WHERE n = ANY ($1::bigint[])`, [numbers]);
        if (used.length === 0) return;
        await ask(
          `DELETE FROM ${blobs} AS blobs WHERE hash = ANY ($1::text[]) AND NOT EXISTS (SELECT FROM ${blobUses} AS uses WHERE uses.hash = blobs.hash)`,
          [used.map((one) => text(one, "hash"))],
        );
      }),
  };
}
