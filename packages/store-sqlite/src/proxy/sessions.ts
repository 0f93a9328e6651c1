import {
  checkedSessions,
  checkMessages,
  messageText,
  parseSession,
  printSession,
  queryWords,
  sessionWindow,
} from "@bailiwick/core/store";
import type { Message, Session, SessionAppend, Owner, SessionStore } from "@bailiwick/core/store";
import type { DatabaseLink } from "../thread/link.ts";
import type { MessageColumns, OwnerKey, SessionJoined, SessionKey, SessionTexts } from "../thread/service.ts";
import { fromText, toText } from "./plain-text.ts";

/** The sessions of a store. */
export function sessionsOf(link: DatabaseLink): SessionStore {
  return checkedSessions({
    async load(id, options) {
      const found = await link.call("loadSession", keyOf(id, options), options?.asOf ?? null);
      if (found === undefined) return { id, messages: [], state: {} };
      const { messages, state } = toSession(found);
      return { id, messages: sessionWindow(messages, options), state, version: found.version };
    },
    async append(sessionId, messages, run) {
      checkMessages(messages);
      await link.call("joinSession", toJoined({ sessionId, messages, ...run, state: run.state ?? {} }));
    },
    async loadState(id, owner) {
      const state = await link.call("loadState", keyOf(id, owner));
      return state === undefined ? {} : fromText<Session["state"]>(state);
    },
    async writeState(id, writes, { runId, once, ...owner }) {
      const result = await link.call("writeState", {
        key: keyOf(id, owner),
        writes: writes.map(({ key, value, expected }) => ({
          name: key,
          value: toText(value),
          expected: expected === undefined ? null : toText(expected),
        })),
        runId,
        once: once ?? null,
      });
      if (!result.written) {
        const newer = result.newer.map(
          ([name, value]) => [name, value === null ? undefined : fromText(value)] as const,
        );
        return { written: false, newer: Object.fromEntries(newer) };
      }
      const { repeated } = result;
      return repeated === undefined
        ? { written: true }
        : { written: true, repeated: fromText<Record<string, unknown>>(repeated) };
    },
    share: async (id, owner) => link.call("shareSession", keyOf(id, owner)),
    claim: async (id, owner) => link.call("claimSession", keyOf(id, owner)),
    list: async (options) => link.call("listSessions", ownerKey(options), options?.limit ?? 50),
    async search(query, options) {
      const words = queryWords(query);
      if (words.length === 0) return [];
      const found = await link.call("searchSessions", ownerKey(options), words, options?.limit ?? 50);
      return found.map(({ id, text }) => ({ id, message: fromText<Message>(text) }));
    },
    async branch(id, options) {
      const newId = options?.newId ?? crypto.randomUUID();
      await link.call("branchSession", keyOf(id, options), newId, options?.uptoMessageId);
      return newId;
    },
    async edit(id, messageId, message, options) {
      checkMessages([message]);
      await link.call("editMessage", keyOf(id, options), messageId, toColumns(message));
    },
    delete: async (id, options) => link.call("deleteSession", keyOf(id, options)),
    async export(id, options) {
      const { joined, ...texts } = await link.call("exportSession", keyOf(id, options));
      return printSession({ ...toSession(texts), joined });
    },
    async import(jsonl, options) {
      const { messages, state, joined } = parseSession(jsonl);
      const id = options?.id ?? crypto.randomUUID();
      await link.call("importSession", keyOf(id, options), toText(state), messages.map(toColumns), joined);
      return id;
    },
  });
}

export function toJoined({ sessionId, messages, state, runId, seq, ...scope }: SessionAppend): SessionJoined {
  return { key: keyOf(sessionId, scope), messages: messages.map(toColumns), state: toText(state), runId, seq };
}

const ownerKey = (owner: Owner | undefined): OwnerKey => ({
  tenantId: owner?.tenantId ?? null,
  userId: owner?.userId ?? null,
});
const keyOf = (id: string, owner: Owner | undefined): SessionKey => ({ id, ...ownerKey(owner) });

function toColumns(message: Message): MessageColumns {
  return { id: message.id, text: toText(message), search: messageText(message).toLowerCase() };
}

function toSession({ messages, state }: Omit<SessionTexts, "version">): Omit<Session, "id"> {
  return { messages: messages.map((text) => fromText<Message>(text)), state: fromText<Session["state"]>(state) };
}
