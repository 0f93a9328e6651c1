import { createHash } from "node:crypto";
import { BlobNotFoundError } from "@bailiwick/core/store";
import type { BlobStore } from "@bailiwick/core/store";
import type { Database } from "./connection/database.ts";
import { text, yes } from "./connection/statements.ts";
import type { Ask } from "./connection/statements.ts";
import { now } from "./schema/tables.ts";
import type { Tables } from "./schema/tables.ts";

/** Time for which a stored blob is kept for the record that will name it, while other runs are deleted. */
const awaitedMs = 600_000;
/** Number of waits that are ended at once: more would delay the caller. */
const mostSwept = 64;

/** Bytes beside the journals. */
export function blobsOf(database: Database, tables: Tables): BlobStore {
  const { blobs } = tables;
  return {
    async putBlob(given) {
      // A copy: the caller may change its bytes while they are on their way.
      const bytes = Buffer.from(given);
      const hash = createHash("sha256").update(bytes).digest("hex");
      await database.write(async ({ ask }) => {
        // If it exists, its row is locked: a concurrent deletion has either finished or waits for it.
        await ask(
          `INSERT INTO ${blobs} AS blobs (hash, bytes, awaited, awaited_until) VALUES ($1, $2, 1, ${now} + ${awaitedMs})
           ON CONFLICT (hash) DO UPDATE SET awaited = blobs.awaited + 1, awaited_until = excluded.awaited_until`,
          [hash, bytes],
        );
        await sweepBlobs(ask, tables);
      });
      return hash;
    },
    async getBlob(hash) {
      const [row] = await database.read(`SELECT encode(bytes, 'base64') AS bytes FROM ${blobs} WHERE hash = $1`, [
        hash,
      ]);
      if (row === undefined) throw new BlobNotFoundError(hash);
      return new Uint8Array(Buffer.from(text(row, "bytes"), "base64"));
    },
  };
}

/** Inside a write: removes those of some blobs that no run uses. Their rows are locked by it. */
export async function removeUnused(ask: Ask, { blobs, blobUses }: Tables, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  await ask(
    `DELETE FROM ${blobs} AS blobs WHERE hash = ANY ($1::text[]) AND NOT EXISTS (SELECT FROM ${blobUses} AS uses WHERE uses.hash = blobs.hash)`,
    [hashes],
  );
}

/**
 * At the end of a write, in its transaction: ends the wait for records that will not come, and removes blobs that a
 * deletion left only for them.
 */
export async function sweepBlobs(ask: Ask, tables: Tables): Promise<void> {
  const { blobs } = tables;
  const rows = await ask(
    `UPDATE ${blobs} AS blobs SET awaited = 0, deleted = false FROM (
       SELECT hash, deleted FROM ${blobs} WHERE awaited > 0 AND awaited_until <= ${now}
       ORDER BY awaited_until LIMIT ${mostSwept} FOR UPDATE SKIP LOCKED
     ) AS late WHERE blobs.hash = late.hash RETURNING blobs.hash, late.deleted`,
  );
  const deleted = rows.filter((row) => yes(row, "deleted")).map((row) => text(row, "hash"));
  await removeUnused(ask, tables, deleted);
}
