import type { Message } from "../contracts/message.ts";
import type { SessionAppend } from "../contracts/ports/run-store.ts";
import type { Sealer } from "../contracts/ports/security.ts";
import type { Owner } from "../contracts/owner.ts";
import type { Session, SessionStore } from "../contracts/ports/session-store.ts";
import { isSameJson } from "../json/canonical-json.ts";
import { messageInTodaysWords } from "./journal-words.ts";
import { isSealed, openValue, sealValue, type Place, type SealedValue } from "./sealed-record.ts";
import { matchesText, parseSession, printSession, queryWords, sessionWindow } from "./session-text.ts";

/** A message whose content can only be read with the key. Stores use its id and role. */
interface SealedMessage {
  readonly id: string;
  readonly role: Message["role"];
  readonly content: "";
  readonly sealed: SealedValue;
}

/** Messages may be copied to other sessions, but not to another tenant. */
function placeOf(scope: Owner | undefined, kind: "message" | "state", id: string): Place {
  return [kind, scope?.tenantId ?? null, id];
}

async function sealMessage(message: Message, sealer: Sealer, scope: Owner | undefined): Promise<Message> {
  const sealed = (await sealValue(message, sealer, placeOf(scope, "message", message.id))) as SealedValue;
  return { id: message.id, role: message.role, content: "", sealed } satisfies SealedMessage as unknown as Message;
}

async function openMessage(
  message: Message,
  sealer: Sealer | undefined,
  scope: Owner | undefined,
  what: string,
): Promise<Message> {
  const { sealed } = message as Partial<SealedMessage>;
  if (!isSealed(sealed)) return messageInTodaysWords(message);
  return messageInTodaysWords(
    (await openValue(sealed, sealer, placeOf(scope, "message", message.id), what)) as Message,
  );
}

type State = Readonly<Record<string, unknown>>;

async function mapState(state: State, map: (value: unknown, key: string) => Promise<unknown>): Promise<State> {
  return Object.fromEntries(
    await Promise.all(Object.entries(state).map(async ([key, value]) => [key, await map(value, key)] as const)),
  );
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

/** Seals the additions to a session; without a sealer they are returned unchanged. */
export async function sealAppend<Append extends Pick<SessionAppend, "messages" | "state">>(
  append: Append,
  sealer: Sealer | undefined,
  scope: Owner | undefined,
): Promise<Append> {
  if (sealer === undefined) return append;
  return {
    ...append,
    messages: await Promise.all(append.messages.map((message) => sealMessage(message, sealer, scope))),
    state: await mapState(append.state, (value, key) => sealValue(value, sealer, placeOf(scope, "state", key))),
  };
}

/**
 * Sessions whose messages and state cannot be read in their store. An agent with `keys.seal` wraps its `session` by
 * itself; use this in an application that reads or edits the same sessions. Ids, roles and names of state stay
 * readable. Messages from before there was a key are read unchanged.
 *
 * @param sessions - The store of the sessions.
 * @param sealer - Made from `keys.seal`, with `sealer(key)` of `@bailiwick/security`; without it nothing is sealed,
 *   and sealed content is refused.
 * @returns a store whose `search` opens every session of its tenant, and whose exports are readable.
 * @throws SealKeyMissingError from every read of sealed content without a sealer.
 * @example
 * ```ts
 * import { memorySessions, sealedSessions } from "@bailiwick/core";
 * import type { Sealer, SessionStore } from "@bailiwick/core";
 *
 * export const readable = (sealer: Sealer): SessionStore => sealedSessions(memorySessions(), sealer);
 * ```
 */
export function sealedSessions(sessions: SessionStore, sealer: Sealer | undefined): SessionStore {
  const whatIs = (id: string): string => `Session "${id}"`;

  async function load(id: string, scope: Owner | undefined): Promise<Session> {
    const session = await sessions.load(id, { tenantId: scope?.tenantId, userId: scope?.userId });
    return { id, ...(await openSession(session, sealer, scope, whatIs(id))) };
  }

  return {
    async load(id, options) {
      const session = await load(id, options);
      return { ...session, messages: sessionWindow(session.messages, options) };
    },
    async append(id, messages, run) {
      const sealed = await sealAppend({ messages, state: run.state ?? {} }, sealer, run);
      await sessions.append(id, sealed.messages, { ...run, state: sealed.state });
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
    list: (options) => sessions.list(options),
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
    branch: (id, options) => sessions.branch(id, options),
    async edit(id, messageId, message, options) {
      const kept = sealer === undefined ? message : await sealMessage(message, sealer, options);
      await sessions.edit(id, messageId, kept, options);
    },
    delete: (id, options) => sessions.delete(id, options),
    share: (id, owner) => sessions.share(id, owner),
    claim: (id, owner) => sessions.claim(id, owner),
    async export(id, options) {
      const session = parseSession(await sessions.export(id, options));
      return printSession({ ...session, ...(await openSession(session, sealer, options, whatIs(id))) });
    },
    async import(jsonl, options) {
      const { joined, ...session } = parseSession(jsonl);
      const sealed = await sealAppend(session, sealer, options);
      return sessions.import(printSession({ ...sealed, joined }), options);
    },
  };
}

/** A value that is not the stored one, so that the store refuses the write and returns the stored value. */
function unlike(stored: unknown): unknown {
  return stored === undefined ? null : undefined;
}
