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
        const [row] = await ask(`SELECT n FROM ${runs} WHERE id = $1 FOR UPDATE`, [toColumn(runId)]);
        if (row === undefined) return;
        // Locked before it is asked who uses them: a record of another run that names one comes before or after.
        const used = await ask(
          `SELECT blobs.hash FROM ${blobs} AS blobs JOIN ${blobUses} AS uses USING (hash) WHERE uses.run = $1 ORDER BY blobs.hash FOR UPDATE OF blobs`,
          [row["n"]],
        );
        await ask(`DELETE FROM ${runs} WHERE n = $1`, [row["n"]]);
        if (used.length === 0) return;
        await ask(
          `DELETE FROM ${blobs} AS blobs WHERE hash = ANY ($1::text[]) AND NOT EXISTS (SELECT FROM ${blobUses} AS uses WHERE uses.hash = blobs.hash)`,
          [used.map((one) => text(one, "hash"))],
        );
      }),
  };
}
