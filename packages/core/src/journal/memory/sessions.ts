import { SessionNotFoundError } from "../../errors/session-errors.ts";
import { StoreError } from "../../errors/store-errors.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import { frozenRecord, frozenView, ownCopy } from "../../user-code/copies.ts";
import { matchesText, printSession, queryWords, sessionWindow } from "../session-text.ts";
import type { Message } from "../../contracts/message.ts";
import type { Clock } from "../../contracts/ports/clock.ts";
import type { Ids } from "../../contracts/ports/ids.ts";
import type { Owner } from "../../contracts/owner.ts";
import type { SessionStore } from "../../contracts/ports/session-store.ts";
import { checkedSessions } from "../checked-sessions.ts";
import { checkMessages, parseSession } from "../session-messages.ts";
import type { SessionCopy, SessionJoin } from "../session-text.ts";

interface Stored {
  readonly id: string;
  readonly owner: Owner;
  readonly shared: boolean;
  messages: KeptMessage[];
  /** Number of the last change of the messages. */
  version: number;
  state: Record<string, unknown>;
  updatedAt: number;
  order: number;
  appended: Set<string>;
  /** The values of writes with `once`, by run and write. */
  readonly once: Map<string, Readonly<Record<string, unknown>>>;
}

/** A message, with the version that added it. */
interface KeptMessage {
  readonly message: Message;
  readonly version: number;
  /** Its texts before it was edited, each with the version of the edit, oldest first. */
  readonly former?: readonly { readonly until: number; readonly message: Message }[];
}

/** The message as readers of a version got it. */
function readAt({ message, former = [] }: KeptMessage, asOf: number): Message {
  return former.find(({ until }) => until > asOf)?.message ?? message;
}

/** Sessions, with what a store of runs does with them. */
export interface JoinedSessions extends SessionStore {
  /** The session that an owner finds: its own, or one that its tenant shares. */
  readonly kindOf: (id: string, owner: Owner | undefined) => Promise<"own" | "shared" | undefined>;
  readonly join: SessionStore["append"];
  /** Deletes a session whose runs are gone; one that is shared stays. */
  readonly forget: (id: string, owner: Owner) => Promise<void>;
}

/** The sessions of a store in memory. */
export function sessionRows(clock: Clock, ids: Ids): JoinedSessions {
  const sessions = new Map<string, Stored>();
  let changes = 0;

  const key = (id: string, owner: Owner | undefined): string =>
    JSON.stringify([owner?.tenantId ?? null, owner?.userId ?? null, id]);
  const sharedKey = (id: string, owner: Owner | undefined): string => JSON.stringify([owner?.tenantId ?? null, id]);
  const find = (id: string, owner: Owner | undefined): Stored | undefined =>
    sessions.get(key(id, owner)) ?? sessions.get(sharedKey(id, owner));

  function known(id: string, owner: Owner | undefined): Stored {
    const session = find(id, owner);
    if (session === undefined) throw new SessionNotFoundError(id, owner);
    return session;
  }

  /** Moves a session to another key in the map, which is its identity. */
  function move(from: string, to: string, session: Stored): void {
    if (sessions.has(to)) throw exists(session.id);
    sessions.delete(from);
    sessions.set(to, session);
  }

  function add(id: string, scope: Owner | undefined, session: SessionCopy): Stored {
    if (sessions.has(key(id, scope))) throw exists(id);
    changes += 1;
    const stored: Stored = {
      id,
      owner: { tenantId: scope?.tenantId, userId: scope?.userId },
      shared: false,
      messages: session.messages.map((message) => ({ message, version: 1 })),
      version: session.messages.length > 0 ? 1 : 0,
      state: { ...session.state },
      updatedAt: clock.now(),
      order: changes,
      appended: new Set(session.joined?.map((join) => JSON.stringify(join))),
      once: new Map(),
    };
    sessions.set(key(id, scope), stored);
    return stored;
  }

  function touch(session: Stored): void {
    changes += 1;
    session.updatedAt = clock.now();
    session.order = changes;
  }

  const newest = (scope: Owner | undefined): Stored[] =>
    [...sessions.values()].filter((session) => find(session.id, scope) === session).sort((a, b) => b.order - a.order);

  function position(session: Stored, messageId: string): number {
    const index = session.messages.findIndex(({ message }) => message.id === messageId);
    if (index < 0) throw new SessionNotFoundError(session.id, session.owner, messageId);
    return index;
  }

  function exists(id: string): StoreError {
    return new StoreError(
      "SESSION_EXISTS",
      `There is a session "${id}" already. Choose another id, or delete it first.`,
    );
  }

  /** Adds the messages of a run of this process, which need no check. */
  const join: SessionStore["append"] = async (id, messages, run) => {
    const session = find(id, run) ?? add(id, run, { messages: [], state: {} });
    const once = JSON.stringify([run.runId, run.seq]);
    if (session.appended.has(once)) return;
    session.appended.add(once);
    session.version += 1;
    const { version } = session;
    session.messages.push(...messages.map((message) => ({ message: frozenRecord(message), version })));
    session.state = { ...session.state, ...ownCopy(run.state) };
    touch(session);
  };

  return checkedSessions<JoinedSessions>({
    async load(id, options) {
      const session = find(id, options);
      if (session === undefined) return { id, messages: [], state: {} };
      const asOf = options?.asOf ?? session.version;
      const messages = session.messages.flatMap((kept) => (kept.version > asOf ? [] : [readAt(kept, asOf)]));
      return {
        id,
        messages: sessionWindow(messages, options).map(frozenView),
        state: ownCopy(session.state),
        version: session.version,
      };
    },
    async append(id, messages, run) {
      checkMessages(messages);
      await join(id, messages, run);
    },
    join,
    forget: async (id, owner) => void sessions.delete(key(id, owner)),
    loadState: async (id, owner) => ownCopy(find(id, owner)?.state ?? {}),
    async writeState(id, writes, run) {
      const found = find(id, run);
      const once = run.once === undefined ? undefined : JSON.stringify([run.runId, run.once]);
      const repeated = once === undefined ? undefined : found?.once.get(once);
      if (repeated !== undefined) return { written: true, repeated: ownCopy(repeated) };
      const before = found?.state ?? {};
      const stored = (name: string): unknown => (Object.hasOwn(before, name) ? before[name] : undefined);
      const newer = writes.filter((write) => canonicalJson(stored(write.key)) !== canonicalJson(write.expected));
      if (newer.length > 0)
        return {
          written: false,
          newer: ownCopy(Object.fromEntries(newer.map((write) => [write.key, stored(write.key)]))),
        };
      const values = ownCopy(Object.fromEntries(writes.map((write) => [write.key, write.value])));
      const session = found ?? add(id, run, { messages: [], state: {} });
      session.state = { ...session.state, ...values };
      if (once !== undefined) session.once.set(once, values);
      touch(session);
      return { written: true };
    },
    list: async (options) =>
      newest(options)
        .slice(0, options?.limit ?? 50)
        .map(({ id, updatedAt }) => ({ id, updatedAt })),
    async search(query, options) {
      const words = queryWords(query);
      return newest(options)
        .flatMap(({ id, messages }) =>
          messages
            .filter(({ message }) => matchesText(message, words))
            .map(({ message }) => ({ id, message: frozenView(message) })),
        )
        .slice(0, options?.limit ?? 50);
    },
    async branch(id, options) {
      const session = known(id, options);
      const end =
        options?.uptoMessageId === undefined ? session.messages.length : position(session, options.uptoMessageId) + 1;
      const newId = options?.newId ?? ids.next("session");
      const messages = session.messages.slice(0, end).map(({ message }) => message);
      add(newId, options, { messages, state: session.state });
      return newId;
    },
    async edit(id, messageId, message, options) {
      checkMessages([message]);
      const session = known(id, options);
      const place = position(session, messageId);
      const edited = session.messages[place] as KeptMessage;
      session.version += 1;
      session.messages[place] = {
        message: frozenRecord(message),
        version: edited.version,
        former: [...(edited.former ?? []), { until: session.version, message: edited.message }],
      };
      touch(session);
    },
    async delete(id, options) {
      const session = find(id, options);
      if (session !== undefined) sessions.delete(session.shared ? sharedKey(id, options) : key(id, options));
      return { runs: 0, open: 0 };
    },
    async kindOf(id, owner) {
      const session = find(id, owner);
      return session && (session.shared ? "shared" : "own");
    },
    export: async (id, options) => {
      const { messages, state, appended } = known(id, options);
      return printSession({
        messages: messages.map(({ message }) => message),
        state,
        joined: [...appended].map((once) => JSON.parse(once) as SessionJoin),
      });
    },
    async import(jsonl, options) {
      const session = parseSession(jsonl);
      return add(options?.id ?? ids.next("session"), options, session).id;
    },
    async share(id, owner) {
      const session = sessions.get(key(id, owner));
      if (session === undefined) throw new SessionNotFoundError(id, owner);
      move(key(id, owner), sharedKey(id, owner), { ...session, owner: { tenantId: owner?.tenantId }, shared: true });
    },
    async claim(id, owner) {
      const unclaimed = { tenantId: owner.tenantId };
      const session = sessions.get(key(id, unclaimed));
      if (session === undefined) throw new SessionNotFoundError(id, unclaimed);
      move(key(id, unclaimed), key(id, owner), { ...session, owner });
    },
  });
}
