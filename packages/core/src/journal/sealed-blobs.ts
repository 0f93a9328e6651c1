import type { BlobStore } from "../contracts/ports/blob-store.ts";
import type { Sealer } from "../contracts/ports/security.ts";
import { readPlain, writePlain } from "./plain-values.ts";

const mark = '{"$sealed":';

/**
 * Blobs whose content cannot be read in the store; their hash is that of the stored bytes. Blobs from before there was
 * a key are returned unchanged.
 *
 * @param sealer - Made from `keys.seal`; without it nothing is sealed.
 */
export function sealedBlobs(blobs: BlobStore, sealer: Sealer | undefined): BlobStore {
  if (sealer === undefined) return blobs;
  return {
    async putBlob(bytes) {
      const sealed = await sealer.seal(writePlain(bytes));
      return blobs.putBlob(new TextEncoder().encode(JSON.stringify({ $sealed: sealed.$sealed })));
    },
    async getBlob(hash) {
      const bytes = await blobs.getBlob(hash);
      const text = new TextDecoder().decode(bytes);
      if (!text.startsWith(mark)) return bytes;
      return readPlain(await sealer.open(JSON.parse(text) as { readonly $sealed: string })) as Uint8Array;
    },
  };
}
