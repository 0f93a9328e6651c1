import type { JournalEventOf } from "../contracts/journal-event.ts";
import type { Signal } from "../contracts/signal.ts";
import type { ContentPart } from "../contracts/content-part.ts";
import type { Message } from "../contracts/message.ts";
import type { RunState } from "./run-state.ts";

/** The text in place of an answer that an output guardrail blocked. */
const withheldAnswer = "[This answer was withheld by a guardrail.]";

/** Sets a key that may be any text, `__proto__` included. */
export function setEntry(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

const names: readonly string[] = ["cancel", "decision", "steer", "follow_up", "input", "repair"];

/** True for a signal that a run understands. */
export function hasEffect({ name }: Pick<Signal, "name">): boolean {
  return names.includes(name);
}

/** Applies a signal that was taken from the inbox; a second delivery of the same id changes nothing. */
export function foldSignal(state: RunState, signal: Signal): void {
  if (state.takenSignals.has(signal.id)) return;
  state.takenSignals.add(signal.id);
  switch (signal.name) {
    case "cancel":
      state.cancelRequested ??=
        (typeof signal.payload === "string" ? signal.payload : textIn(signal.payload, "reason")) || "cancelled";
      return;
    case "decision":
      state.pendingDecisions.push(signal);
      return;
    case "steer":
    case "follow_up":
    case "input":
    case "repair":
      state.pendingSignals.push(signal);
      return;
    default:
      return;
  }
}

/** Drops the signal of an inserted message: the one with its id, else the oldest of its kind. */
export function takePending(state: RunState, event: JournalEventOf<"message.inserted">): void {
  const { pendingSignals } = state;
  const isOfKind = ({ name }: Signal): boolean => name === event.by;
  if (!dropFirst(pendingSignals, (signal) => isOfKind(signal) && textIn(signal.payload, "id") === event.message.id))
    dropFirst(pendingSignals, isOfKind);
}

/** Drops a decision that has been recorded as decided or answered. */
export function dropPendingDecision(state: RunState, interruptionId: string): void {
  dropFirst(state.pendingDecisions, ({ payload }) => textIn(payload, "id") === interruptionId);
}

/** Drops a decision that cannot be applied. */
export function dropSignal(state: RunState, signalId: string): void {
  dropFirst(state.pendingDecisions, ({ id }) => id === signalId);
}

/** Removes the first signal that matches; returns false if there is none. */
function dropFirst(signals: Signal[], matches: (signal: Signal) => boolean): boolean {
  const index = signals.findIndex(matches);
  if (index >= 0) signals.splice(index, 1);
  return index >= 0;
}

/** A replacement takes the place of its original; a blocked answer leaves a neutral placeholder. */
export function foldGuardrail(state: RunState, event: JournalEventOf<"guardrail.decided">): void {
  const { kind, verdict } = event;
  if (kind === "input") {
    if (verdict.pass && verdict.replace !== undefined) replaceInput(state, verdict.replace);
    return;
  }
  if (kind !== "output" || state.lastAnswer === undefined) return;
  if (verdict.pass && typeof verdict.replace !== "string") return;
  const text = verdict.pass ? String(verdict.replace) : withheldAnswer;
  const index = state.messages.lastIndexOf(state.lastAnswer);
  const { providerState: _made, ...rest } = state.lastAnswer;
  const replaced = { ...rest, content: [{ type: "text" as const, text }] };
  if (index >= 0) state.messages[index] = replaced;
  state.lastAnswer = replaced;
}

function replaceInput(state: RunState, replacement: unknown): void {
  if (typeof replacement !== "string" && !Array.isArray(replacement)) return;
  for (let index = state.messages.length - 1; index >= state.firstOwnMessage; index -= 1) {
    const message = state.messages[index];
    if (message?.role !== "user") continue;
    state.messages[index] = { ...message, content: replacement as Extract<Message, { role: "user" }>["content"] };
    return;
  }
}

/** The bytes replace their address wherever a user or a tool named it. */
export function foldMedia(state: RunState, { url, data, mimeType, problem }: JournalEventOf<"media.fetched">): void {
  if (problem !== undefined) state.unfetched.set(url, problem);
  const fetched = <Part extends ContentPart>(part: Part): Part =>
    data !== undefined && (part.type === "image" || part.type === "file") && (part.url ?? part.data) === url
      ? { ...part, url: undefined, data, mimeType }
      : part;
  state.messages = state.messages.map((message) => {
    const { role, content } = message;
    if ((role !== "user" && role !== "tool") || typeof content === "string") return message;
    const made = content.map(fetched);
    return made.every((part, index) => part === content[index]) ? message : { ...message, content: made };
  });
}

function textIn(payload: unknown, member: "id" | "reason"): string | undefined {
  const value = (Object(payload) as Readonly<Record<string, unknown>>)[member];
  return typeof value === "string" ? value : undefined;
}
