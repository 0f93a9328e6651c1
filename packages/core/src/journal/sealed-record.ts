import type { JournalEvent } from "../contracts/journal-event.ts";
import type { Sealer } from "../contracts/ports/security.ts";
import { readPlain, writePlain } from "./plain-values.ts";

/** What stays readable: the fields of every record, and what stores, listings and the inspector go by. */
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

/** Seals everything of a record that is content. */
export async function sealRecord(event: JournalEvent, sealer: Sealer): Promise<JournalEvent> {
  const clear: Record<string, unknown> = {};
  const content: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(event)) (clearFields.has(key) ? clear : content)[key] = value;
  // The store takes signals out of the inbox by their id.
  if (event.type === "signal.taken") clear["signal"] = { id: event.signal.id, name: event.signal.name };
  clear["sealed"] = await sealer.seal(writePlain(content));
  return clear as unknown as JournalEvent;
}

/** Opens what `sealRecord` made; a record that is not sealed is given back. */
export async function openRecord(event: JournalEvent, sealer: Sealer): Promise<JournalEvent> {
  const { sealed, ...clear } = event as JournalEvent & { readonly sealed?: { readonly $sealed: string } };
  if (sealed === undefined) return event;
  const content = readPlain(await sealer.open(sealed)) as Partial<JournalEvent>;
  return { ...clear, ...content } as JournalEvent;
}
