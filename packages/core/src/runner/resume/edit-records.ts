import type { JournalEvent } from "../../contracts/journal-event.ts";
import type { Message, UserMessage } from "../../contracts/message.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";

/** New texts of messages, by the ids of the messages. */
export type MessageEdits = Readonly<Record<string, string>>;

/**
 * Refuses edits that a fork cannot make.
 *
 * @param events - The records that the fork copies.
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkEdits(events: readonly JournalEvent[], edits: MessageEdits): void {
  const refuse = (what: string): never => {
    throw new ConfigurationError("INVALID_OPTION", `fork(): edit.messages ${what}`);
  };
  const ids = events.flatMap(messagesOf).map(({ id }) => id);
  for (const id of Object.keys(edits)) {
    if (!ids.includes(id))
      refuse(`names "${id}", which is not a message up to "atSeq". Its messages are: ${ids.join(", ")}.`);
  }
}

/**
 * Records whose messages have the new texts. Their labels are unchanged: an edit does not make a text more trusted.
 *
 * @param events - The records that the fork copies.
 */
export function editedRecords(events: readonly JournalEvent[], edits: MessageEdits): readonly JournalEvent[] {
  const edited = <Given extends Message>(message: Given): Given => {
    const text = edits[message.id];
    return text === undefined ? message : (withText(message, text) as Given);
  };
  return events.map((event): JournalEvent => {
    switch (event.type) {
      case "run.start":
        return { ...event, history: event.history.map(edited), input: event.input.map(edited) };
      case "model.result": {
        const { shownText: _former, ...rest } = event;
        return edits[event.message.id] === undefined ? event : { ...rest, message: edited(event.message) };
      }
      case "message.inserted":
        return { ...event, message: edited(event.message) };
      case "tool.result":
        return { ...event, message: edited(event.message) };
      default:
        return event;
    }
  });
}

function messagesOf(event: JournalEvent): readonly Message[] {
  if (event.type === "run.start") return [...event.history, ...event.input];
  return event.type === "model.result" || event.type === "message.inserted" || event.type === "tool.result"
    ? [event.message]
    : [];
}

function isPartlyUntrusted({ content }: UserMessage): boolean {
  return typeof content !== "string" && content.some(({ untrusted }) => untrusted === true);
}

/** An answer keeps its calls, but loses its vendor's signatures, which belong to the former text. */
function withText(message: Message, text: string): Message {
  if (message.role === "user" && isPartlyUntrusted(message))
    return { ...message, content: [{ type: "text", text, untrusted: true }] };
  if (message.role !== "assistant") return { ...message, content: text };
  const { providerState: _signed, ...rest } = message;
  return {
    ...rest,
    content: [
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...message.content
        .filter((part) => part.type === "tool_call")
        .map(({ type, toolCallId }) => ({ type, toolCallId })),
    ],
  };
}
