import type { Database } from "./database.ts";
import { RefusedError, refuse } from "../thread/failure.ts";
import type { DatabaseService } from "../thread/service.ts";
import type { BlobBytes } from "./blob-bytes.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { Sha256 } from "./hashes.ts";
import { now } from "./store-clock.ts";

/** Time for which a stored blob is kept for the record that will name it, while other runs are deleted. */
const awaitedMs = 600_000;
/** Number of waits that are ended at once: more would delay other writes. */
const mostSwept = 64;

/** Blobs, and which runs use them. */
export interface BlobTable {
  readonly calls: Pick<DatabaseService, "putBlob" | "getBlob">;
  /** Inside a write: notes the blobs whose hashes are in a record. */
  use(run: number, text: string): void;
  /** Inside a write: removes the blobs that only this run uses, and that no expected record will name. */
  removeUnshared(run: number): void;
}

/** Parts that the blobs share with the rest of the file. */
export interface BlobsContext {
  readonly database: Database;
  readonly commits: GroupCommit;
  readonly sha256: Sha256;
  readonly bytes: BlobBytes;
}

export function blobTable({ database, commits, sha256, bytes: bytesOf }: BlobsContext): BlobTable {
  const exists = database.prepare("SELECT 1 FROM blobs WHERE hash = ?");
  const use = database.prepare("INSERT INTO blob_uses (hash, run) VALUES (?, ?) ON CONFLICT DO NOTHING");
  const unshared = database.prepare(
    "SELECT hash FROM blob_uses AS own WHERE run = ? AND NOT EXISTS (SELECT 1 FROM blob_uses WHERE hash = own.hash AND run <> own.run)",
  );
  const removeUses = database.prepare("DELETE FROM blob_uses WHERE run = ?");
  const remove = database.prepare("DELETE FROM blobs WHERE hash = ?");
  const awaitRecord = database.prepare(
    `INSERT INTO awaited_blobs (hash, times, until) VALUES (?, 1, ${now} + ${awaitedMs})
     ON CONFLICT DO UPDATE SET times = times + 1, until = excluded.until`,
  );
  const answer = database.prepare("UPDATE awaited_blobs SET times = times - 1 WHERE hash = ? RETURNING times");
  const endWait = database.prepare("DELETE FROM awaited_blobs WHERE hash = ?");
  const removeLater = database.prepare("UPDATE awaited_blobs SET deleted = 1 WHERE hash = ?");
  const awaitedInVain = database.prepare(
    `SELECT hash, deleted AND NOT EXISTS (SELECT 1 FROM blob_uses WHERE hash = awaited_blobs.hash) AS unused
     FROM awaited_blobs WHERE until <= ${now} ORDER BY until LIMIT ${mostSwept}`,
  );

  /** Ends waits whose record never came, and removes blobs that a deletion left only for them. */
  function sweep(): void {
    for (const { hash, unused } of awaitedInVain.all() as { readonly hash: string; readonly unused: number }[]) {
      if (unused === 1) remove.run(hash);
      else endWait.run(hash);
    }
  }

  return {
    calls: {
      async putBlob(bytes) {
        const hash = sha256(bytes);
        await commits.write(() => {
          sweep();
          bytesOf.insert(hash, bytes);
          awaitRecord.run(hash);
        });
        return hash;
      },
      async getBlob(hash) {
        const found = await commits.read(() => bytesOf.find(hash));
        if (found === undefined) throw new RefusedError({ kind: "blob-not-found", hash });
        return found;
      },
    },
    use(run, text) {
      // A shown handle counts as a use, like a reference, from any run.
      const named = new Set<string>();
      for (const [, reference, hash] of text.matchAll(/("\$blob":")?\b([0-9a-f]{64})\b/g)) {
        if (hash === undefined || named.has(hash)) continue;
        if (exists.get(hash) !== undefined) {
          named.add(hash);
          use.run(hash, run);
          // One record arrived: each `putBlob` expects one.
          if (answer.get(hash)?.["times"] === 0) endWait.run(hash);
        } else if (reference !== undefined) {
          throw refuse(
            "BLOB_MISSING",
            `A record refers to the blob "${hash}", which is not stored. Store blobs before the records that refer to them.`,
          );
        }
      }
    },
    removeUnshared(run) {
      const hashes = unshared.all(run).map((row) => row["hash"] as string);
      removeUses.run(run);
      sweep();
      for (const hash of hashes) if (removeLater.run(hash).changes === 0) remove.run(hash);
    },
  };
}
