import type { JournalEvent } from "../contracts/journal-event.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";

/**
 * The text that a record is hashed and stored as. Reading it and writing it again gives the same text.
 *
 * @throws TypeError when the record holds a value that JSON has no form for.
 */
export function recordText(event: JournalEvent): string {
  return JSON.stringify(event);
}

/**
 * The head of a chain after one more record.
 *
 * @param hasher - SHA-256.
 * @param previous - The head before; empty for the first record.
 * @param text - The record as `recordText` wrote it.
 * @example
 * ```ts
 * import { chainHash } from "@bailiwick/core/store";
 * import { defaultHasher } from "@bailiwick/core/extension";
 *
 * export const head = chainHash(defaultHasher(), "", '{"seq":1}');
 * ```
 */
export function chainHash(hasher: Hasher, previous: string, text: string): string {
  return hasher.sha256(`${previous}\n${text}`);
}

/** The text that an HMAC over the head signs; it is valid for this run and this place only. */
export function headText(runId: string, seq: number, hash: string): string {
  return `bailiwick-journal\n${runId}\n${seq}\n${hash}`;
}
