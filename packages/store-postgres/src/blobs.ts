import { createHash } from "node:crypto";
import { BlobNotFoundError } from "@bailiwick/core";
import type { BlobStore } from "@bailiwick/core";
import type { Database } from "./connection/database.ts";
import { text } from "./connection/statements.ts";
import type { Tables } from "./schema/tables.ts";

/** Bytes beside the journals. */
export function blobsOf(database: Database, { blobs }: Tables): BlobStore {
  return {
    async putBlob(given) {
      // A copy: the caller may change its bytes while they are on their way.
      const bytes = Buffer.from(given);
      const hash = createHash("sha256").update(bytes).digest("hex");
      await database.write(({ ask }) =>
        ask(`INSERT INTO ${blobs} (hash, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING`, [hash, bytes]),
      );
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
