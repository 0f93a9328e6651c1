import type { Decision, InterruptionData } from "../../contracts/interruption.ts";
import type { JournalEvent } from "../../contracts/journal-event.ts";
import { movedInside, type ForkOrigin } from "../state/fork-place.ts";
import type { Agent } from "../run.ts";
import type { Message, UserMessage } from "../../contracts/message.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";

/**
 * Records of a run, converted for a fork of it. Questions get new names and tokens: a decision about one run decides
 * nothing about the other.
 */
export function movedRecords(
  { hasher, signer }: Pick<Agent, "hasher" | "signer">,
  events: readonly JournalEvent[],
  { runId: from, salts }: ForkOrigin,
  to: string,
): readonly JournalEvent[] {
  const tokens = new Map<string, string | undefined>();
  const named = (id: string): string => salts.reduce((name, salt) => hasher.sha256(`${salt}/${name}`).slice(0, 32), id);

  const asked = (given: InterruptionData): InterruptionData => {
    const { token: _token, ...rest } = { ...given, id: named(given.id), runId: to };
    const token = signer?.sign(rest);
    tokens.set(given.id, token);
    return token === undefined ? rest : { ...rest, token };
  };
  const decided = <Given extends Pick<Decision, "id" | "token">>(given: Given): Given => {
    // The name of a question about a model call contains the run's id.
    if (given.id.startsWith(`${from}/`)) return { ...given, id: `${to}${given.id.slice(from.length)}` };
    if (!tokens.has(given.id)) return given;
    const token = tokens.get(given.id);
    return { ...given, id: named(given.id), ...(token !== undefined && { token }) };
  };
  const nameOf = (id: string): string => decided({ id }).id;

  const content = (event: JournalEvent): JournalEvent => {
    switch (event.type) {
      case "run.start": {
        // The fork has its own session: its records hold the conversation.
        const { copied = [], sessionId, sessionRead: _read, ...start } = event;
        const atSeq = events.length;
        const last = copied.find((part) => part.atSeq >= atSeq) ?? { sessionId };
        return {
          ...start,
          sessionId: to,
          copied: [...copied.filter((part) => part.atSeq < atSeq), { ...last, atSeq }],
        };
      }
      case "tool.approval.requested":
      case "input.requested":
        return { ...event, interruption: asked(event.interruption) };
      case "child.suspended": {
        const childRunId = movedInside(hasher, event, from, to);
        const spent = event.spent?.map((one) => ({
          ...one,
          ...(one.runId !== undefined && {
            runId: movedInside(hasher, { ...event, childRunId: one.runId }, from, to),
          }),
        }));
        return { ...event, childRunId, interruptions: event.interruptions.map(asked), spent };
      }
      case "tool.approval.decided":
      case "child.decided":
      case "model.decided":
        return { ...event, decision: decided(event.decision) };
      case "tool.intent":
        return event.approvalId === undefined ? event : { ...event, approvalId: nameOf(event.approvalId) };
      case "run.suspended":
        return { ...event, interruptionIds: event.interruptionIds.map(nameOf) };
      case "signal.taken": {
        const { signal } = event;
        if (signal.name !== "decision") return event;
        return { ...event, signal: { ...signal, payload: decided(signal.payload as Decision) } };
      }
      default:
        return event;
    }
  };

  return events.map((event) => {
    const { mac: _mac, ...rest } = content(event);
    return { ...rest, runId: to };
  });
}

/** New texts of messages, by the ids of the messages. */
export type MessageEdits = Readonly<Record<string, string>>;

/**
 * Refuses edits that a fork cannot make.
 *
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

/** Records whose messages have the new texts. Their labels are unchanged: an edit does not make a text more trusted. */
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
