import { JOURNAL_VERSION, type JournalEvent } from "../contracts/journal-event.ts";
import type { Message } from "../contracts/message.ts";
import { lazyPart } from "../loading/lazy-part.ts";

const olderWords = lazyPart("The words of older journals", () => import("./older-words.ts"));

/** The records of a journal in the format of this version. Only journals of an older format are copied. */
export async function inTodaysWords(events: readonly JournalEvent[]): Promise<readonly JournalEvent[]> {
  const start = events.find((event) => event.type === "run.start");
  return start === undefined || start.version >= JOURNAL_VERSION
    ? events
    : olderWords(({ translatedEvents }) => translatedEvents(events));
}

/** A message in the format of this version; the same object if nothing changes. */
export async function messageInTodaysWords(message: Message): Promise<Message> {
  return message?.role === "assistant" &&
    (Object.hasOwn(message.usage ?? {}, "promptTokens") || hasOlderPart(message.content))
    ? olderWords(({ translatedMessage }) => translatedMessage(message))
    : message;
}

/** Sessions may hold content of any form. */
function hasOlderPart(content: unknown): boolean {
  return Array.isArray(content) && content.some((part) => String(part?.type).includes("-"));
}
