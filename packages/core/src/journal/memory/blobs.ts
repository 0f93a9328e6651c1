import { BlobNotFoundError } from "../../errors/store-errors.ts";
import type { JournalEvent } from "../../contracts/journal-event.ts";
import type { BlobStore } from "../../contracts/ports/blob-store.ts";
import type { Clock } from "../../contracts/ports/clock.ts";
import type { Hasher } from "../../contracts/ports/hasher.ts";

/** Time for which a new blob is kept for the record that will name it, even if other runs are deleted. */
const awaitedMs = 600_000;

/** Blobs in memory, with the number of runs that name each. */
export interface MemoryBlobs extends BlobStore {
  /**
   * Records the blobs that records of a run name.
   *
   * @param named - Blobs that earlier records of the run name.
   * @returns all that records of the run name.
   */
  use(events: readonly JournalEvent[], named: Set<string> | undefined): Set<string> | undefined;
  /** Removes the blobs that no other run names and that no pending record will name. */
  release(named: ReadonlySet<string>): void;
}

export function memoryBlobs(clock: Clock, hasher: Hasher): MemoryBlobs {
  const blobs = new Map<string, Uint8Array>();
  const uses = new Map<string, number>();
  /** Blobs that no record names yet, oldest first. */
  const awaited = new Map<string, { times: number; until: number; deleted: boolean }>();

  /** Ends waits whose record never came. */
  function sweep(): void {
    const now = clock.now();
    for (const [hash, { until, deleted }] of awaited) {
      if (until > now) return;
      awaited.delete(hash);
      if (deleted && !uses.has(hash)) blobs.delete(hash);
    }
  }

  function answer(hash: string): void {
    const put = awaited.get(hash);
    if (put === undefined) return;
    put.times -= 1;
    if (put.times === 0) awaited.delete(hash);
  }

  return {
    async putBlob(bytes) {
      const hash = hasher.sha256(bytes);
      sweep();
      if (!blobs.has(hash)) blobs.set(hash, bytes.slice());
      const { times, deleted } = awaited.get(hash) ?? { times: 0, deleted: false };
      awaited.delete(hash);
      awaited.set(hash, { times: times + 1, until: clock.now() + awaitedMs, deleted });
      return hash;
    },
    async getBlob(hash) {
      const bytes = blobs.get(hash);
      if (bytes === undefined) throw new BlobNotFoundError(hash);
      return bytes.slice();
    },
    use(events, named) {
      if (blobs.size === 0) return named;
      for (const hash of events.flatMap(hashesIn)) {
        if (!blobs.has(hash)) continue;
        answer(hash);
        if (named?.has(hash) === true) continue;
        named = (named ?? new Set<string>()).add(hash);
        uses.set(hash, (uses.get(hash) ?? 0) + 1);
      }
      return named;
    },
    release(named) {
      sweep();
      for (const hash of named) {
        const left = (uses.get(hash) ?? 1) - 1;
        if (left > 0) {
          uses.set(hash, left);
          continue;
        }
        uses.delete(hash);
        const put = awaited.get(hash);
        if (put === undefined) blobs.delete(hash);
        else put.deleted = true;
      }
    },
  };
}

/** Possible names of blobs: a handle that a text shows counts as a reference. */
function hashesIn(event: JournalEvent): readonly string[] {
  const text = JSON.stringify(event, (_key, value: unknown) =>
    value instanceof Uint8Array || typeof value === "bigint" ? undefined : value,
  );
  return [...new Set(text.match(/\b[0-9a-f]{64}\b/g))];
}
