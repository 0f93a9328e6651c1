import type { JournalEvent, JournalEventOf, Message } from "@bailiwick/core";
import type { StudioModelCall } from "./view-types.ts";

/**
 * A model call with the conversation before it, rebuilt from the journal. The instructions are made by the
 * agent's code for each call and are not journaled; `requestHash` is the hash of the request that was sent.
 *
 * @param events - The journal, in order.
 * @param seq - Number of the `model.intent` or the `model.result`.
 */
export function modelCallOf(events: readonly JournalEvent[], seq: number): StudioModelCall | undefined {
  const at = events.findIndex((event) => event.seq === seq);
  const chosen = events[at];
  if (chosen?.type !== "model.intent" && chosen?.type !== "model.result") return undefined;
  const isSame = (event: JournalEvent): boolean =>
    (event.type === "model.intent" || event.type === "model.result") &&
    event.turn === chosen.turn &&
    event.attempt === chosen.attempt &&
    intentPurpose(event) === intentPurpose(chosen) &&
    event.toolCallId === chosen.toolCallId;
  const begun = events.findLastIndex((event, index) => index <= at && event.type === "model.intent" && isSame(event));
  const intent = events[begun] as JournalEventOf<"model.intent"> | undefined;
  const response = events.find(
    (event, index): event is JournalEventOf<"model.result"> =>
      index >= Math.max(0, begun) && event.type === "model.result" && isSame(event),
  );
  return {
    seq: intent?.seq ?? chosen.seq,
    turn: chosen.turn,
    model: intent?.model ?? "",
    provider: intent?.modelProvider ?? "",
    purpose: chosen.purpose,
    requestHash: intent?.requestHash ?? "",
    tools: intent?.tools ?? [],
    ...conversationBefore(events, begun < 0 ? at : begun),
    response,
  };
}

/** The purpose that the intent of a model call has: an attempt of a turn that was asked again began as the turn. */
export function intentPurpose({ purpose }: JournalEventOf<"model.intent" | "model.result">): string | undefined {
  return purpose === "restarted" ? undefined : purpose;
}

/** Messages that a record adds to the conversation. Sealed records add none, nor does a conversation that is not read. */
function addedBy(event: JournalEvent): readonly Message[] {
  if (event.type === "run.start")
    return [...(Array.isArray(event.history) ? event.history : []), ...(event.input ?? [])];
  const adds =
    event.type === "message.inserted" ||
    event.type === "tool.result" ||
    (event.type === "model.result" && (event.purpose ?? "turn") === "turn" && event.error === undefined);
  return adds && event.message !== undefined ? [event.message] : [];
}

function conversationBefore(
  events: readonly JournalEvent[],
  index: number,
): Pick<StudioModelCall, "messages" | "notes"> {
  let messages: Message[] = [];
  const notes: string[] = [];
  for (const event of events.slice(0, index)) {
    messages.push(...addedBy(event));
    if (event.type === "memory.recalled")
      for (const { text } of event.memories ?? []) notes.push(`Recalled from memory: ${text ?? "(not kept)"}`);
    else if (event.type === "compaction") {
      const upto = messages.findIndex(({ id }) => id === event.uptoMessageId);
      if (upto >= 0) messages = messages.slice(upto + 1);
      notes.push(`Shortened by ${event.strategy}: ${event.droppedMessages} messages. ${event.summary ?? ""}`);
    }
  }
  return { messages, notes };
}
