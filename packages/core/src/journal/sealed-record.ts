import type { JournalEvent, StoredHistory } from "../contracts/journal-event.ts";
import type { Sealer } from "../contracts/ports/security.ts";
import { shownHandles } from "../tools/read-result.ts";
import { writePlain, readPlain } from "./plain-values.ts";
import { SealKeyMissingError } from "../errors/configuration-errors.ts";

/** Fields that stay readable: the common ones, and those that stores, lists and the studio use. */
const clearFields: ReadonlySet<string> = new Set([
  "seq",
  "at",
  "key",
  "label",
  "labels",
  "runId",
  "type",
  "version",
  "turn",
  "index",
  "attempt",
  "toolCallId",
  "toolName",
  "sideEffectClass",
  "status",
  "stopReason",
]);

function placeOf({ runId, seq, key }: JournalEvent): Place {
  return ["record", runId, seq, key];
}

/** Seals all content of a record. */
export async function sealRecord(event: JournalEvent, sealer: Sealer): Promise<JournalEvent> {
  const clear: Record<string, unknown> = {};
  const content: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(event)) (clearFields.has(key) ? clear : content)[key] = value;
  // The store removes signals from the inbox by their id.
  if (event.type === "signal.taken") clear["signal"] = { id: event.signal.id, name: event.signal.name };
  const plain = writePlain(content);
  // Deleting the last run that names a blob removes the blob, so the store has to see the names.
  const blobs = new Set(shownHandles(JSON.stringify(plain)));
  for (const handle of handlesOf(event)) blobs.add(handle);
  if (blobs.size > 0) clear["blobs"] = [...blobs];
  clear["sealed"] = await sealer.seal(plain, JSON.stringify(placeOf(event)));
  return clear as unknown as JournalEvent;
}

/** Handles of stored texts in the fields of a record. */
function handlesOf(event: JournalEvent): readonly string[] {
  if (event.type === "run.start") return (event.history as Partial<StoredHistory>).blobs ?? [];
  if (event.type === "tool.result") return event.spilled === undefined ? [] : [event.spilled];
  if (event.type !== "compaction") return [];
  return [event.leftOut, ...(event.shortened ?? []).map(({ handle }) => handle)].filter((one) => one !== undefined);
}

/** A record in its stored form. */
type StoredRecord = JournalEvent & { readonly sealed?: SealedValue; readonly blobs?: readonly string[] };

/** Opens a record from `sealRecord`; a record that is not sealed is returned unchanged. */
export async function openRecord(event: JournalEvent, sealer: Sealer): Promise<JournalEvent> {
  const { sealed, blobs: _blobs, ...clear } = event as StoredRecord;
  if (sealed === undefined) return event;
  const content = (await openValue(sealed, sealer, placeOf(event), `Run "${event.runId}"`)) as Partial<JournalEvent>;
  return { ...clear, ...content } as JournalEvent;
}

/**
 * Returns records unchanged if none is sealed.
 *
 * @throws SealKeyMissingError for the first that is.
 */
export function refuseSealed(events: readonly JournalEvent[]): readonly JournalEvent[] {
  const sealed = events.find((event) => (event as StoredRecord).sealed !== undefined);
  if (sealed !== undefined) throw noKeyFor(`The journal of run "${sealed.runId}"`, sealed.runId);
  return events;
}

/** A value that can only be read with the key. */
export interface SealedValue {
  readonly $sealed: string;
}

/** The place that a sealed value belongs to, such as a record of a run: it cannot be opened elsewhere. */
export type Place = readonly [kind: string, ...identity: readonly (string | number | null)[]];

/** True if a value is sealed. */
export function isSealed(value: unknown): value is SealedValue {
  if (typeof value !== "object" || value === null) return false;
  const { $sealed } = value as Partial<SealedValue>;
  return typeof $sealed === "string" && Object.keys(value).length === 1;
}

/** Seals any value before it is stored; without a sealer it is returned unchanged. */
export async function sealValue(value: unknown, sealer: Sealer | undefined, place: Place): Promise<unknown> {
  return sealer === undefined ? value : sealer.seal(writePlain(value), JSON.stringify(place));
}

/**
 * Opens a value from `sealValue`; a value from before there was a key is returned unchanged.
 *
 * @param place - Place that the value was sealed for.
 * @param what - Kind of value, for the beginning of the error message.
 * @throws SealKeyMissingError if it is sealed and there is no key; the error of `open` for another key.
 */
export async function openValue(
  value: unknown,
  sealer: Sealer | undefined,
  place: Place,
  what: string,
): Promise<unknown> {
  if (!isSealed(value)) return value;
  if (sealer === undefined) throw noKeyFor(what);
  return readPlain(await sealer.open(value, JSON.stringify(place)));
}

/** The error for a sealed value without a key. Nothing was changed: with the key it can be read. */
function noKeyFor(what: string, runId?: string): SealKeyMissingError {
  return new SealKeyMissingError(
    `${what} is sealed, and this agent has no key to open it. Give Agent({ keys: { seal } }) the key that it was sealed with. Nothing was changed.`,
    { runId },
  );
}
