import { SessionNotFound } from "../errors/session-errors.ts";
import { StoreError } from "../errors/store-errors.ts";
import type { Message } from "../contracts/message.ts";
import type { Clock } from "../contracts/ports/clock.ts";
import type { Ids } from "../contracts/ports/ids.ts";
import type { SessionScope, SessionStore } from "../contracts/ports/session-store.ts";
import { frozenRecord, frozenView, ownCopy } from "../user-code/copies.ts";
import { randomIds } from "./random-ids.ts";
import { matchesText, parseSession, printSession, sessionWindow } from "./session-text.ts";
import type { SessionCopy, SessionJoin } from "./session-text.ts";
import { systemClock } from "./system-clock.ts";

interface Stored {
  readonly id: string;
  readonly tenantId: string | undefined;
  messages: Message[];
  state: Record<string, unknown>;
  updatedAt: number;
  order: number;
  appended: Set<string>;
}

/**
 * Sessions in memory. The tenant is part of every key: the same id under two tenants is two sessions.
 *
 * @param options - `clock` and `ids`; default the system's and random.
 * @example
 * ```ts
 * import { memorySessions } from "@bailiwick/core";
 *
 * export const sessions = memorySessions();
 * ```
 */
export function memorySessions(
  options: { readonly clock?: Clock | undefined; readonly ids?: Ids | undefined } = {},
): SessionStore {
  const clock = options.clock ?? systemClock;
  const ids = options.ids ?? randomIds;
  const sessions = new Map<string, Stored>();
  let changes = 0;

  const key = (id: string, scope: SessionScope | undefined): string => JSON.stringify([scope?.tenantId ?? null, id]);

  function known(id: string, scope: SessionScope | undefined): Stored {
    const session = sessions.get(key(id, scope));
    if (session === undefined) throw new SessionNotFound(id, scope?.tenantId);
    return session;
  }

  function add(id: string, scope: SessionScope | undefined, session: SessionCopy): Stored {
    if (sessions.has(key(id, scope))) {
      throw new StoreError(
        "SESSION_EXISTS",
        `There is a session "${id}" already. Choose another id, or delete it first.`,
      );
    }
    changes += 1;
    const stored: Stored = {
      id,
      tenantId: scope?.tenantId,
      messages: [...session.messages],
      state: { ...session.state },
      updatedAt: clock.now(),
      order: changes,
      appended: new Set(session.joined?.map((join) => JSON.stringify(join))),
    };
    sessions.set(key(id, scope), stored);
    return stored;
  }

  function touch(session: Stored): void {
    changes += 1;
    session.updatedAt = clock.now();
    session.order = changes;
  }

  const newest = (scope: SessionScope | undefined): Stored[] =>
    [...sessions.values()].filter((session) => session.tenantId === scope?.tenantId).sort((a, b) => b.order - a.order);

  return {
    async load(id, options) {
      const session = sessions.get(key(id, options));
      if (session === undefined) return { id, messages: [], state: {} };
      return { id, messages: sessionWindow(session.messages, options).map(frozenView), state: ownCopy(session.state) };
    },
    async append(id, messages, run) {
      const session = sessions.get(key(id, run)) ?? add(id, run, { messages: [], state: {} });
      const once = JSON.stringify([run.runId, run.seq]);
      if (session.appended.has(once)) return;
      session.appended.add(once);
      session.messages.push(...messages.map(frozenRecord));
      session.state = { ...session.state, ...ownCopy(run.state) };
      touch(session);
    },
    list: async (options) =>
      newest(options)
        .slice(0, options?.limit ?? 50)
        .map(({ id, updatedAt }) => ({ id, updatedAt })),
    search: async (query, options) =>
      newest(options)
        .flatMap(({ id, messages }) =>
          messages
            .filter((message) => matchesText(message, query))
            .map((message) => ({ id, message: frozenView(message) })),
        )
        .slice(0, options?.limit ?? 50),
    async branch(id, options) {
      const session = known(id, options);
      const end =
        options?.uptoMessageId === undefined ? session.messages.length : position(session, options.uptoMessageId) + 1;
      const newId = options?.newId ?? ids.next("session");
      add(newId, options, { messages: session.messages.slice(0, end), state: session.state });
      return newId;
    },
    async edit(id, messageId, message, options) {
      const session = known(id, options);
      session.messages[position(session, messageId)] = frozenRecord(message);
      touch(session);
    },
    async delete(id, options) {
      sessions.delete(key(id, options));
    },
    export: async (id, options) => {
      const { messages, state, appended } = known(id, options);
      return printSession({ messages, state, joined: [...appended].map((once) => JSON.parse(once) as SessionJoin) });
    },
    async import(jsonl, options) {
      const session = parseSession(jsonl);
      return add(options?.id ?? ids.next("session"), options, session).id;
    },
  };
}

function position(session: Stored, messageId: string): number {
  const index = session.messages.findIndex((message) => message.id === messageId);
  if (index < 0) throw new SessionNotFound(session.id, session.tenantId, messageId);
  return index;
}
