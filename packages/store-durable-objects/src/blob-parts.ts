import { wholeBlobs, type BlobBytes, type Database } from "@bailiwick/store-sqlite/portable";

/** A Durable Object stores values of at most 2 MB; the rest of the row needs some of it. */
const mostBytes = 1_900_000;

/** Blobs in rows of at most 1.9 MB: the first part is in the blob's row, the others are in a separate table. */
export function blobsInParts(database: Database): BlobBytes {
  const first = wholeBlobs(database);
  const insert = database.prepare("INSERT INTO blob_parts (hash, part, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
  const select = database.prepare("SELECT bytes FROM blob_parts WHERE hash = ? ORDER BY part");
  return {
    insert(hash, bytes) {
      first.insert(hash, bytes.subarray(0, mostBytes));
      for (let from = mostBytes, part = 1; from < bytes.length; from += mostBytes, part += 1)
        insert.run(hash, part, bytes.subarray(from, from + mostBytes));
    },
    find(hash) {
      const start = first.find(hash);
      if (start === undefined) return undefined;
      const rest = select.all(hash).map((row) => row["bytes"] as Uint8Array);
      if (rest.length === 0) return start;
      const parts = [start, ...rest];
      const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
      let at = 0;
      for (const part of parts) {
        whole.set(part, at);
        at += part.length;
      }
      return whole;
    },
  };
}
