import type { JournalEvent } from "../contracts/journal-event.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";

/**
 * The text of a record for hashing and storage. Parsing and writing it again gives the same text.
 *
 * @param event - A record of a journal.
 * @throws TypeError if the record contains a value without a JSON form.
 */
export function recordText(event: JournalEvent): string {
  return JSON.stringify(event);
}

/**
 * The head of a chain after one more record.
 *
 * @param hasher - SHA-256.
 * @param previous - The previous head; empty for the first record.
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

/** The text that an HMAC over the head signs; it is only valid for this run and position. */
export function headText(runId: string, seq: number, hash: string): string {
  return `bailiwick-journal\n${runId}\n${seq}\n${hash}`;
}
