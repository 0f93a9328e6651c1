import { JOURNAL_VERSION, type JournalEvent } from "../contracts/journal-event.ts";
import type { Message } from "../contracts/message.ts";
import { translatedEvents, translatedMessage } from "./older-words.ts";

/**
 * The records of a journal in the format of this version. Only journals of an older format are copied.
 *
 * @param events - All records of the journal, in order.
 */
export function inTodaysWords(events: readonly JournalEvent[]): readonly JournalEvent[] {
  const start = events.find((event) => event.type === "run.start");
  if (start === undefined || start.version >= JOURNAL_VERSION) return events;
  return translatedEvents(events);
}

/** A message in the format of this version; the same object if nothing changes. */
export function messageInTodaysWords(message: Message): Message {
  return message.role === "assistant" &&
    (Object.hasOwn(message.usage ?? {}, "promptTokens") || message.content.some(({ type }) => type.includes("-")))
    ? translatedMessage(message)
    : message;
}
