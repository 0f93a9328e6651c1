import { JOURNAL_VERSION, type JournalEvent } from "../contracts/journal-event.ts";
import type { Message } from "../contracts/message.ts";
import { lazyPart } from "../loading/lazy-part.ts";

/** The words of older formats load with the first journal or session that has them. */
const olderWords = lazyPart("The reading of older journals", () => import("./older-words.ts"));

/**
 * The records of a journal as this version writes them. Only journals of an older format are copied.
 *
 * @param events - All records of the journal, in order.
 */
export function inTodaysWords(
  events: readonly JournalEvent[],
): readonly JournalEvent[] | Promise<readonly JournalEvent[]> {
  const start = events.find((event) => event.type === "run.start");
  if (start === undefined || start.version >= JOURNAL_VERSION) return events;
  return olderWords(({ translatedEvents }) => translatedEvents(events));
}

/** A message as this version writes it; the same object if it has no older word. */
export function messageInTodaysWords(message: Message): Message | Promise<Message> {
  return message.role === "assistant" && message.content.some(({ type }) => type.includes("-"))
    ? olderWords(({ translatedMessage }) => translatedMessage(message))
    : message;
}
