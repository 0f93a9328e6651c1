import type { Owner } from "../contracts/owner.ts";
import type { BlobStore } from "../contracts/ports/blob-store.ts";
import type { ToolExecutionContext } from "../contracts/tool-context.ts";

/**
 * Stores a result that is too long to show. The owner is part of the stored bytes, and so of the handle: runs of
 * another owner do not read it, even with the handle.
 *
 * @returns the handle.
 */
export async function writeSpilled(blobs: BlobStore, text: string, owner: Owner): Promise<string> {
  return blobs.putBlob(new TextEncoder().encode(head(owner) + text));
}

/**
 * Reads what `writeSpilled` stored.
 *
 * @returns `undefined` for another owner's result, and for any other blob.
 * @throws BlobNotFoundError
 */
export async function readSpilled(blobs: BlobStore, handle: string, owner: Owner): Promise<string | undefined> {
  const stored = new TextDecoder().decode(await blobs.getBlob(handle));
  const expected = head(owner);
  return stored.startsWith(expected) ? stored.slice(expected.length) : undefined;
}

function head({ tenantId, userId }: Owner): string {
  return `${JSON.stringify({ spilledBy: [tenantId ?? null, userId ?? null] })}\n`;
}

const blobsOfRun = new WeakMap<ToolExecutionContext, BlobStore>();

/** Says where the run of a context keeps its blobs: an agent inside another one's call keeps them where that run is. */
export function keepBlobsOf(ctx: ToolExecutionContext, blobs: BlobStore): void {
  blobsOfRun.set(ctx, blobs);
}

/** Where the run of a context keeps its blobs, if a person said so. */
export function blobsOf(ctx: ToolExecutionContext): BlobStore | undefined {
  return blobsOfRun.get(ctx);
}
