import type { Message } from "../contracts/message.ts";
import type { Owner } from "../contracts/owner.ts";
import type { Sealer } from "../contracts/ports/security.ts";
import type { SessionAppend } from "../contracts/ports/run-store.ts";
import type { Session, SessionStore } from "../contracts/ports/session-store.ts";
import { isSameJson } from "../json/canonical-json.ts";
import { checkedSessions } from "./checked-sessions.ts";
import { messageInTodaysWords } from "./journal-words.ts";
import { mapState, placeOf, sealAppend, sealMessage, type SealedMessage, type State } from "./seal-append.ts";
import { checkMessages, parseSession } from "./session-messages.ts";
import { isSealed, openValue, sealValue } from "./sealed-record.ts";
import { matchesText, printSession, queryWords, readSession, sessionWindow } from "./session-text.ts";
import { canonicalMessage } from "../history/from-chat-message.ts";
import { messageProblem } from "../history/message-problem.ts";

/** Appends messages of a run, which need no check. An entry that no run can read must not fail the end of a run. */
export async function appendOwn(
  sessions: SessionStore,
  sealer: Sealer | undefined,
  append: SessionAppend,
): Promise<void> {
  const messages = append.messages.flatMap((message) => readableMessage(message, () => undefined));
  await sealedInto(sessions, sealer, { ...append, messages });
}

async function sealedInto(sessions: SessionStore, sealer: Sealer | undefined, append: SessionAppend): Promise<void> {
  const { sessionId, messages, ...run } = await sealAppend(append, sealer, append);
  await sessions.append(sessionId, messages, run);
}

// Parts that load with this one.
export { canonicalMessage } from "../history/from-chat-message.ts";
export { sessionRows } from "./memory/sessions.ts";

async function openMessage(
  message: Message,
  sealer: Sealer | undefined,
  scope: Owner | undefined,
  what: string,
): Promise<Message> {
  const { sealed } = Object(message) as Partial<SealedMessage>;
  const opened = isSealed(sealed)
    ? await openValue(sealed, sealer, placeOf(scope, "message", message.id), what)
    : message;
  return messageInTodaysWords(opened as Message);
}

async function openSession(
  session: Omit<Session, "id">,
  sealer: Sealer | undefined,
  scope: Owner | undefined,
  what: string,
): Promise<Omit<Session, "id">> {
  return {
    messages: await Promise.all(session.messages.map((message) => openMessage(message, sealer, scope, what))),
    state: await mapState(session.state, (value, key) => openValue(value, sealer, placeOf(scope, "state", key), what)),
  };
}

/**
 * Sessions whose messages and state are sealed in their store.
 *
 * @param warn - Receives the problem of each entry that no run can read, which is repaired or left out.
 */
export function sealedSessionStore(
  sessions: SessionStore,
  sealer: Sealer | undefined,
  warn?: (problem: string) => void,
): SessionStore {
  const whatIs = (id: string): string => `Session "${id}"`;

  async function load(
    id: string,
    scope: (Owner & { readonly asOf?: number | undefined }) | undefined,
  ): Promise<Session> {
    const { tenantId, userId, asOf } = { ...scope };
    const { version, ...stored } = await sessions.load(id, { tenantId, userId, asOf });
    const session = await openSession(stored, sealer, scope, whatIs(id));
    const messages = session.messages.flatMap((message, index) =>
      readableMessage(message, (problem) => warn?.(`Session "${id}": message ${index}${problem}.`)),
    );
    return { ...session, id, messages, version };
  }

  return checkedSessions({
    ...checkedSessions(sessions),
    async load(id, options) {
      const session = await load(id, options);
      return { ...session, messages: sessionWindow(session.messages, options) };
    },
    async append(id, messages, run) {
      checkMessages(messages);
      await sealedInto(sessions, sealer, { ...run, sessionId: id, messages, state: run.state ?? {} });
    },
    async loadState(id, owner) {
      return mapState(await sessions.loadState(id, owner), (value, key) =>
        openValue(value, sealer, placeOf(owner, "state", key), whatIs(id)),
      );
    },
    async writeState(id, writes, run) {
      // The same value is sealed differently each time, so plain values are compared here, and the store compares the
      // sealed texts.
      const stored = await sessions.loadState(id, run);
      const kept = await Promise.all(
        writes.map(async ({ key, value, expected }) => {
          const found = Object.hasOwn(stored, key) ? stored[key] : undefined;
          const opened = await openValue(found, sealer, placeOf(run, "state", key), whatIs(id));
          const sealed = sealer === undefined ? value : await sealValue(value, sealer, placeOf(run, "state", key));
          return { key, value: sealed, expected: isSameJson(opened, expected) ? found : unlike(found) };
        }),
      );
      const written = await sessions.writeState(id, kept, run);
      const open = (state: State): Promise<State> =>
        mapState(state, (value, key) => openValue(value, sealer, placeOf(run, "state", key), whatIs(id)));
      if (!written.written) return { written: false, newer: await open(written.newer) };
      return written.repeated === undefined ? written : { written: true, repeated: await open(written.repeated) };
    },
    async search(query, options) {
      if (sealer === undefined) return sessions.search(query, options);
      const words = queryWords(query);
      const limit = options?.limit ?? 50;
      const found: { readonly id: string; readonly message: Message }[] = [];
      const all = await sessions.list({
        tenantId: options?.tenantId,
        userId: options?.userId,
        limit: Number.MAX_SAFE_INTEGER,
      });
      for (const { id } of all) {
        const { messages } = await load(id, options);
        for (const message of messages) if (matchesText(message, words)) found.push({ id, message });
        if (found.length >= limit) break;
      }
      return found.slice(0, limit);
    },
    async edit(id, messageId, message, options) {
      checkMessages([message]);
      const kept = sealer === undefined ? message : await sealMessage(message, sealer, options);
      await sessions.edit(id, messageId, kept, options);
    },
    async export(id, options) {
      const session = readSession(await sessions.export(id, options));
      return printSession({ ...session, ...(await openSession(session, sealer, options, whatIs(id))) });
    },
    async import(jsonl, options) {
      const { joined, ...session } = parseSession(jsonl);
      const sealed = await sealAppend(session, sealer, options);
      return sessions.import(printSession({ ...sealed, joined }), options);
    },
  });
}

/** Seals each message and each value of the state of a stored session again. */
export async function sealedAnew(sessions: SessionStore, sealer: Sealer, id: string, owner: Owner): Promise<void> {
  const what = `Session "${id}"`;
  const stored = readSession(await sessions.export(id, owner)).messages;
  const messages = await Promise.all(stored.map((message) => openMessage(message, sealer, owner, what)));
  const counts = new Map<string, number>();
  for (const message of messages) counts.set(message.id, (counts.get(message.id) ?? 0) + 1);
  const write = async (at: string, message: Message): Promise<void> =>
    sessions.edit(id, at, await sealMessage(message, sealer, owner), owner);
  // Models repeat ids, and an edit changes the first message of an id: such messages get another id for a moment.
  const placed = (message: Message, index: number): string =>
    counts.get(message.id) === 1 ? message.id : `${message.id}/${index}`;
  for (const [index, message] of messages.entries())
    if (placed(message, index) !== message.id) await write(message.id, { ...message, id: placed(message, index) });
  for (const [index, message] of messages.entries()) await write(placed(message, index), message);
  for (;;) {
    const state = await sessions.loadState(id, owner);
    const writes = await Promise.all(
      Object.entries(state).map(async ([key, expected]) => {
        const place = placeOf(owner, "state", key);
        return { key, expected, value: await sealValue(await openValue(expected, sealer, place, what), sealer, place) };
      }),
    );
    // A run that writes meanwhile seals its values with the first key too.
    if ((await sessions.writeState(id, writes, { ...owner, runId: "reseal" })).written) return;
  }
}

/** A value that is not the stored one, so that the store refuses the write and returns the stored value. */
function unlike(stored: unknown): unknown {
  return stored === undefined ? null : undefined;
}

/**
 * A stored message in a form that a run can read: repaired if it has another known form, else left out. Versions before
 * the check of `append()`, and other programs, may have written any value into a session.
 *
 * @param warn - Receives the problem.
 */
export function readableMessage(message: Message, warn: (problem: string) => void): readonly Message[] {
  const problem = messageProblem(message);
  if (problem === undefined) return [message];
  try {
    const repaired = canonicalMessage(message, {});
    warn(`${problem}. It was repaired`);
    return [repaired];
  } catch {
    warn(`${problem}. It was left out`);
    return [];
  }
}
