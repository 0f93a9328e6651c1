import { CorruptExportError } from "../errors/session-errors.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import type { Message } from "../contracts/message.ts";
import type { Session } from "../contracts/ports/session-store.ts";
import { readPlain, writePlain } from "./plain-values.ts";

/**
 * The messages in the order in which their turns were asked. Messages without a time were appended: they follow the turns
 * that the session had then. Older versions gave no times: what a resumed run added follows its marker.
 *
 * @param messages - All of a session, in the order in which they were added.
 * @returns the same list if nothing has to move.
 */
export function inTurnOrder(messages: readonly Message[]): readonly Message[] {
  /** The place of the first marker of each run. */
  const markers = new Map<string | undefined, Place>();
  let latest = 0;
  const places = messages.map((message, index): Place => {
    const runId = runOf(message);
    const marker = markers.get(runId);
    const askedAt = marker?.askedAt ?? message?.askedAt ?? latest;
    latest = Math.max(latest, askedAt);
    const place = { message, askedAt, index: marker?.index ?? index };
    if (message?.failedRun !== undefined && marker === undefined) markers.set(runId, place);
    return place;
  });
  const ordered = places
    .toSorted((one, other) => one.askedAt - other.askedAt || one.index - other.index)
    .map(({ message }) => message);
  return ordered.every((message, index) => message === messages[index]) ? messages : ordered;
}

interface Place {
  readonly message: Message;
  readonly askedAt: number;
  readonly index: number;
}

/** The run of a marker, or of a message that follows one. */
const runOf = (message: Message | undefined): string | undefined => message?.failedRun ?? message?.continues;

/**
 * The requested part of a conversation in the order in which its turns were asked, without the markers of turns that
 * continued. It begins with a user message, so that every answer has its question, and every result its call.
 *
 * @param messages - All of a session.
 * @param options - `before`: a position; `limitTokens`: the maximum size, at four characters per token.
 */
export function sessionWindow(
  messages: readonly Message[],
  options: { readonly limitTokens?: number | undefined; readonly before?: number | undefined } | undefined,
): readonly Message[] {
  const all = inTurnOrder(messages);
  const until = all
    .filter((message, index) => {
      const runId = message?.failedRun;
      return runId === undefined || all.findLastIndex((one) => runOf(one) === runId) === index;
    })
    .slice(0, Math.max(0, options?.before ?? messages.length));
  const limit = options?.limitTokens;
  if (limit === undefined) return until;
  let used = 0;
  let start = until.length;
  while (start > 0) {
    used += Math.ceil(JSON.stringify(writePlain(until[start - 1])).length / 4);
    if (used > limit) break;
    start -= 1;
  }
  if (start === 0) return until;
  const turn = until.findIndex((message, index) => index >= start && message.role === "user");
  return turn < 0 ? [] : until.slice(turn);
}

/**
 * Text of a message that people can search; empty for the marker of a turn without an answer, which no person wrote.
 *
 * @param message - A message of a session.
 */
export function messageText(message: Message): string {
  if (message.failedRun !== undefined) return "";
  if (typeof message.content === "string") return message.content;
  return message.content.map((part) => ("text" in part && typeof part.text === "string" ? part.text : "")).join("\n");
}

/**
 * The words of a search in sessions, in lower case.
 *
 * @param query - The first argument of `sessions.search()`.
 * @throws ConfigurationError `INVALID_INPUT` if it is not text.
 */
export function queryWords(query: string): readonly string[] {
  const given: unknown = query;
  if (typeof given !== "string") {
    throw new ConfigurationError(
      "INVALID_INPUT",
      `sessions.search() takes a text as its first argument, not ${given === null ? "null" : typeof given}. Write sessions.search("some words", { userId }).`,
    );
  }
  return given
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");
}

/** True if a message contains every word of a query, in any case. */
export function matchesText(message: Message, words: readonly string[]): boolean {
  const text = messageText(message).toLowerCase();
  return words.length > 0 && words.every((word) => text.includes(word));
}

/** The record of a run whose messages were added, so that they are not added again. */
export type SessionJoin = readonly [runId: string, seq: number];

/** The exported part of a session. */
export interface SessionCopy extends Omit<Session, "id"> {
  /** The runs that joined it; default none. */
  readonly joined?: readonly SessionJoin[] | undefined;
}

/**
 * A session as JSONL.
 *
 * @param session - Messages, state and runs of the session.
 */
export function printSession({ messages, state, joined = [] }: SessionCopy): string {
  const head = JSON.stringify({
    type: "session",
    version: 1,
    state: writePlain(state),
    ...(joined.length > 0 && { joined }),
  });
  return [head, ...messages.map((message) => JSON.stringify(writePlain(message)))].map((line) => `${line}\n`).join("");
}

/** An export, with the runs that joined the session. */
export type ParsedSession = SessionCopy & { readonly joined: readonly SessionJoin[] };

/**
 * Reads an export with its messages as they are.
 *
 * @throws CorruptExportError
 */
export function readSession(jsonl: string): ParsedSession {
  const lines = jsonl.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const [head, ...rest] = lines.map((line, index) => parseLine(line, index + 1));
  if (head === undefined || head["type"] !== "session" || !isRecord(head["state"])) {
    throw new CorruptExportError(1, "it is not the head of a session");
  }
  if (head["version"] !== 1) throw new CorruptExportError(1, `format ${String(head["version"])} is not known`);
  const { joined = [] } = head;
  if (!Array.isArray(joined) || !joined.every(isJoin)) {
    throw new CorruptExportError(1, 'its "joined" is not a list of run ids, each with the number of a record');
  }
  return { messages: rest as unknown as readonly Message[], state: head["state"], joined };
}

function isJoin(value: unknown): value is SessionJoin {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && Number.isSafeInteger(value[1]);
}

function parseLine(line: string, number: number): Record<string, unknown> {
  let value: unknown;
  try {
    value = readPlain(JSON.parse(line));
  } catch {
    throw new CorruptExportError(number, "it is not JSON");
  }
  if (!isRecord(value)) throw new CorruptExportError(number, "it is not an object");
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
