import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { BlobNotFoundError, StoreError } from "@bailiwick/core";
import type { BlobStore } from "@bailiwick/core";
import type { GroupCommit } from "./group-commit.ts";

/** Blobs, and which runs use them. */
export interface Blobs extends BlobStore {
  /** Inside a write: notes the blobs that a record refers to. */
  use(run: number, text: string): void;
  /** Inside a write: removes the blobs that only this run uses. */
  removeUnshared(run: number): void;
}

export function createBlobs(database: DatabaseSync, commits: GroupCommit): Blobs {
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
    async putBlob(bytes) {
      const hash = createHash("sha256").update(bytes).digest("hex");
      const copy = bytes.slice();
      await commits.write(() => insert.run(hash, copy));
      return hash;
    },
    async getBlob(hash) {
      const row = await commits.read(() => select.get(hash));
      if (row === undefined) throw new BlobNotFoundError(hash);
      const bytes = row["bytes"] as Uint8Array;
      return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
    use(run, text) {
      if (!text.includes('"$blob"')) return;
      for (const [, hash] of text.matchAll(/"\$blob":"([0-9a-f]{64})"/g)) {
        if (hash === undefined) continue;
        if (exists.get(hash) === undefined) {
          throw new StoreError(
            "BLOB_MISSING",
            `A record refers to the blob "${hash}", which is not stored. Store blobs before the records that refer to them.`,
          );
        }
        use.run(hash, run);
      }
    },
    removeUnshared(run) {
      const hashes = unshared.all(run).map((row) => row["hash"] as string);
      removeUses.run(run);
      for (const hash of hashes) remove.run(hash);
    },
  };
}
