import type { JournalEvent } from "../contracts/journal-event.ts";
import type { BlobStore } from "../contracts/ports/blob-store.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";
import { markOf, readPlain, writePlain } from "./plain-values.ts";

/** The store of large values, and their minimum size. */
export interface SpillOptions {
  readonly store: BlobStore;
  readonly hasher: Hasher;
  /** Size in characters of text or bytes. */
  readonly above: number;
}

/**
 * Makes records plain JSON and moves large text and bytes into blobs.
 *
 * @returns the records, and a promise if blobs have to be stored before the records.
 */
export function spillLarge(
  events: readonly JournalEvent[],
  options: SpillOptions,
): { readonly events: readonly JournalEvent[]; readonly stored: Promise<unknown> | undefined } {
  const writes: Promise<string>[] = [];
  const plain = events.map((event) =>
    writePlain(event, (value) => {
      // A conversation that no session of the store holds: runs that have read the same one share its blob.
      if (event.type === "run.start" && Array.isArray(value) && value === event.history && value.length > 0) {
        const json = JSON.stringify(writePlain(value));
        if (json.length <= options.above || !json.isWellFormed()) return undefined;
        const bytes = new TextEncoder().encode(json);
        writes.push(options.store.putBlob(bytes));
        return { value: { $blob: options.hasher.sha256(bytes), kind: "json" } };
      }
      const isText = typeof value === "string";
      if (!isText && !(value instanceof Uint8Array)) return undefined;
      if (value.length <= options.above) return undefined;
      // Half a surrogate pair has no UTF-8 form, so such text stays in its record.
      if (isText && !value.isWellFormed()) return undefined;
      const bytes = isText ? new TextEncoder().encode(value) : value;
      writes.push(options.store.putBlob(bytes));
      return { value: { $blob: options.hasher.sha256(bytes), kind: isText ? "text" : "bytes" } };
    }),
  );
  return { events: plain, stored: writes.length === 0 ? undefined : Promise.all(writes) };
}

/** Restores what `spillLarge` made; each blob is read once. */
export async function loadLarge(events: readonly JournalEvent[], store: BlobStore): Promise<readonly JournalEvent[]> {
  const blobs = new Map<string, Uint8Array | undefined>();
  const first = await mapInSlices(events, (event) =>
    readPlain(event, (value) => {
      if (isReference(value)) blobs.set(value.$blob, undefined);
      return undefined;
    }),
  );
  if (blobs.size === 0) return first;
  for (const hash of blobs.keys()) blobs.set(hash, await store.getBlob(hash));
  return mapInSlices(events, (event) => readPlain(event, (value) => readBlob(value, blobs)));
}

interface BlobReference {
  readonly $blob: string;
  readonly kind: "text" | "bytes" | "json";
}

function readBlob(
  value: unknown,
  blobs: ReadonlyMap<string, Uint8Array | undefined>,
): { readonly value: unknown } | undefined {
  if (!isReference(value)) return undefined;
  const bytes = blobs.get(value.$blob);
  if (bytes === undefined) return undefined;
  if (value.kind === "bytes") return { value: bytes };
  const text = new TextDecoder().decode(bytes);
  return { value: value.kind === "json" ? readPlain(JSON.parse(text)) : text };
}

function isReference(value: unknown): value is BlobReference {
  return typeof value === "object" && value !== null && markOf(value) === "$blob";
}

/** Longest time that work may block the process, in milliseconds. */
const sliceMs = 2;

/**
 * Processes many items in order, and yields to the rest of the process once in a while: a long journal is read while
 * other runs are driven.
 */
export async function mapInSlices<T, Result>(
  items: readonly T[],
  work: (item: T) => Result,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let until = Date.now() + sliceMs;
  for (const item of items) {
    if (Date.now() > until) {
      await new Promise<void>((resolve) => setTimeout(resolve, 0));
      until = Date.now() + sliceMs;
    }
    results.push(work(item));
  }
  return results;
}
