import type { JournalEvent, JournalEventOf, StoredHistory } from "../contracts/journal-event.ts";
import type { Message } from "../contracts/message.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";
import type { RunStore } from "../contracts/ports/run-store.ts";
import type { Sealer } from "../contracts/ports/security.ts";
import { ConversationDeletedError } from "../errors/session-errors.ts";
import { JournalTamperedError } from "../errors/store-errors.ts";
import { shownHandles } from "../tools/read-result.ts";
import { writePlain } from "./plain-values.ts";
import { readableSessions } from "./sealed-sessions.ts";

type Start = JournalEventOf<"run.start">;
/** A `run.start` in its stored form. */
type StoredStart = Omit<Start, "history" | "sessionRead"> & { readonly history: readonly Message[] | StoredHistory };

/** Replaces the messages that a run has read from its session by the version of the session. */
export function storedHistories(events: readonly JournalEvent[], hasher: Hasher): readonly JournalEvent[] {
  const isReference = (event: JournalEvent): event is Start =>
    event.type === "run.start" && event.sessionRead !== undefined;
  if (!events.some(isReference)) return events;
  return events.map((event) => (isReference(event) ? storedStart(event, hasher) : event));
}

function storedStart({ sessionRead, history, ...event }: Start, hasher: Hasher): JournalEvent {
  if (sessionRead === undefined) return { ...event, history };
  const { id: session, asOf, messages, changed = [] } = sessionRead;
  const { text, hash } = readText(history.slice(0, messages), new Set(changed), hasher);
  const blobs = [...new Set(shownHandles(text))];
  const stored: StoredStart = {
    ...event,
    history: {
      session,
      asOf,
      messages,
      hash,
      given: history.slice(messages),
      ...(changed.length > 0 && { changed: changed.map((index) => [index, history[index] as Message] as const) }),
      ...(blobs.length > 0 && { blobs }),
    },
  };
  return stored as unknown as JournalEvent;
}

/** The messages that are read from the session as one text. */
function readText(
  messages: readonly Message[],
  changed: ReadonlySet<number>,
  hasher: Hasher,
): { readonly text: string; readonly hash: string } {
  const text = JSON.stringify(writePlain(messages.filter((_message, index) => !changed.has(index))));
  return { text, hash: hasher.sha256(text) };
}

/**
 * Reads the conversation of a run from its session.
 *
 * @param events - The records of one run, opened.
 * @param from - The store of the run, the hash of the runner, and the key of a sealed session.
 * @throws ConversationDeletedError, JournalTamperedError
 */
export async function readHistories(
  events: readonly JournalEvent[],
  from: { readonly store: RunStore; readonly hasher: Hasher; readonly sealer?: Sealer | undefined },
): Promise<readonly JournalEvent[]> {
  const place = events.findIndex((event) => event.type === "run.start" && !Array.isArray(event.history));
  const event = events[place] as StoredStart | undefined;
  if (event === undefined) return events;
  return events.with(place, await readStart(event, event.history as StoredHistory, from));
}

async function readStart(
  event: StoredStart,
  { session, asOf, messages: count, hash, given, changed = [] }: StoredHistory,
  { store, hasher, sealer }: Parameters<typeof readHistories>[1],
): Promise<JournalEvent> {
  const { runId, seq } = event;
  const run = await store.getRun(runId);
  if (run === undefined || store.sessions === undefined) throw new ConversationDeletedError(runId, store.name);
  // The row decides the owner: the session may have been claimed since.
  const { tenantId, userId } = run;
  const read = await readableSessions(store.sessions, sealer).load(session, { tenantId, userId, asOf });
  if (read.version === undefined || read.version < asOf) throw new ConversationDeletedError(runId, store.name);
  const own = new Map(changed);
  const messages = read.messages.map((message, index) => own.get(index) ?? message);
  if (messages.length !== count || readText(messages, new Set(own.keys()), hasher).hash !== hash) {
    throw new JournalTamperedError(
      runId,
      seq,
      `Session "${session}" does not have the messages that run "${runId}" has read: they were changed without the store. Restore the store from a backup.`,
    );
  }
  const start: Start = {
    ...event,
    history: [...messages, ...given],
    sessionRead: { id: session, asOf, messages: count, ...(own.size > 0 && { changed: [...own.keys()] }) },
  };
  return start;
}
