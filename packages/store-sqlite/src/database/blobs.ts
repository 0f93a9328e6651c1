import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { Refused, refuse } from "../thread/failure.ts";
import type { DatabaseService } from "../thread/service.ts";
import type { GroupCommit } from "./group-commit.ts";

/** Blobs, and which runs use them. */
export interface BlobTable {
  readonly calls: Pick<DatabaseService, "putBlob" | "getBlob">;
  /** Inside a write: notes the blobs whose hashes stand in a record. */
  use(run: number, text: string): void;
  /** Inside a write: removes the blobs that only this run uses. */
  removeUnshared(run: number): void;
}

export function blobTable(database: DatabaseSync, commits: GroupCommit): BlobTable {
  const insert = database.prepare("INSERT INTO blobs (hash, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING");
  const select = database.prepare("SELECT bytes FROM blobs WHERE hash = ?");
  const exists = database.prepare("SELECT 1 FROM blobs WHERE hash = ?");
  const use = database.prepare("INSERT INTO blob_uses (hash, run) VALUES (?, ?) ON CONFLICT DO NOTHING");
  const unshared = database.prepare(
    "SELECT hash FROM blob_uses AS own WHERE run = ? AND NOT EXISTS (SELECT 1 FROM blob_uses WHERE hash = own.hash AND run <> own.run)",
  );
  const removeUses = database.prepare("DELETE FROM blob_uses WHERE run = ?");
  const remove = database.prepare("DELETE FROM blobs WHERE hash = ?");
  return {
    calls: {
      async putBlob(bytes) {
        const hash = createHash("sha256").update(bytes).digest("hex");
        await commits.write(() => insert.run(hash, bytes));
        return hash;
      },
      async getBlob(hash) {
        const row = await commits.read(() => select.get(hash));
        if (row === undefined) throw new Refused({ kind: "blob-not-found", hash });
        return row["bytes"] as Uint8Array;
      },
    },
    use(run, text) {
      // A shown handle is a use as much as a reference is, whichever run it came from.
      for (const [, reference, hash] of text.matchAll(/("\$blob":")?\b([0-9a-f]{64})\b/g)) {
        if (hash === undefined) continue;
        if (exists.get(hash) !== undefined) use.run(hash, run);
        else if (reference !== undefined) {
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
      for (const hash of hashes) remove.run(hash);
    },
  };
}
