import type { Database } from "./database.ts";

/** Storage for the bytes of blobs. Called inside reads and writes. */
export interface BlobBytes {
  /** Does nothing if the blob exists. */
  insert(hash: string, bytes: Uint8Array): void;
  find(hash: string): Uint8Array | undefined;
}

/** Each blob in one row. */
export function wholeBlobs(database: Database): BlobBytes {
  const insert = database.prepare("INSERT INTO blobs (hash, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING");
  const select = database.prepare("SELECT bytes FROM blobs WHERE hash = ?");
  return {
    insert: (hash, bytes) => void insert.run(hash, bytes),
    find: (hash) => select.get(hash)?.["bytes"] as Uint8Array | undefined,
  };
}
