import { id } from "../errors/id-check.ts";
import type { Message } from "../contracts/message.ts";
import type { SessionStore } from "../contracts/ports/session-store.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import { inTurnOrder, printSession, readSession } from "./session-text.ts";
import { anyText, atLeast, fields, listOf, record, said, type Check } from "../errors/value-checks.ts";

/** The arguments of a method by name, in order, each with its check. */
export type Method = Readonly<Record<string, Check>>;

/** A check of an argument that may be left out. */
export const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value);

const count = maybe(atLeast(0));
const text = maybe(anyText);
const ownerFields = { tenantId: maybe(id), userId: maybe(id) };
const owner = maybe(fields(ownerFields));
const optionFields = {
  limit: count,
  limitTokens: count,
  before: count,
  asOf: count,
  uptoMessageId: text,
  newId: maybe(id),
};
const options = maybe(fields({ ...ownerFields, ...optionFields, id: maybe(id) }));
const run = fields({ ...ownerFields, runId: id, seq: count, state: maybe(record), once: text, askedAt: count });
/** Messages have their own check, with the path of the problem. */
const message: Check = () => undefined;

const sessionCalls: Readonly<Record<keyof SessionStore, Method>> = {
  load: { id, options },
  append: { id, messages: message, run },
  loadState: { id, owner },
  writeState: { id, writes: listOf(fields({ key: anyText })), run },
  list: { options },
  search: { query: anyText, options },
  branch: { id, options },
  edit: { id, messageId: anyText, message, owner },
  delete: { id, owner },
  export: { id, owner },
  import: { jsonl: anyText, options },
  share: { id, owner },
  claim: { id, owner: fields({ ...ownerFields, userId: id }) },
};

/**
 * A store of sessions whose methods refuse wrong arguments before the store sees them. For authors of stores.
 *
 * @param sessions - The store. Its other members are kept.
 * @returns a store whose methods reject with `INVALID_INPUT` for an argument of another kind, such as an id that is not
 *   a text, or half of a surrogate pair in it. The message has a correct call.
 * @throws ConfigurationError `INVALID_INPUT` from each method of the result.
 * @example
 * ```ts
 * import { checkedSessions, type SessionStore } from "@bailiwick/core/store";
 *
 * export const exported = (sessions: SessionStore): SessionStore => checkedSessions(sessions);
 * ```
 */
export function checkedSessions<Store extends SessionStore>(sessions: Store): Store {
  /** A copy ends where its reader has seen the message, and the store copies messages in the order of their addition. */
  const asRead: SessionStore["branch"] = async (source, given) => {
    const { uptoMessageId, newId, ...from } = given ?? {};
    if (uptoMessageId === undefined) return sessions.branch(source, given);
    const { messages, state } = readSession(await sessions.export(source, from));
    const ordered = inTurnOrder(messages);
    const last = ordered.findIndex((one) => one.id === uptoMessageId);
    if (ordered === messages || last < 0) return sessions.branch(source, given);
    return sessions.import(printSession({ messages: ordered.slice(0, last + 1), state }), { ...from, id: newId });
  };
  const append: SessionStore["append"] = async (id, messages, run) =>
    sessions.append(id, run.askedAt === undefined && Array.isArray(messages) ? messages.map(timeless) : messages, run);
  return checked("sessions", sessions, sessionCalls, { append, branch: asRead });
}

/** A message without the time of its turn, which may be of another session: it is added at the end. */
function timeless(message: Message): Message {
  if (message?.askedAt === undefined) return message;
  const { askedAt: _time, ...rest } = message;
  return rest;
}

/**
 * A store whose methods check their arguments first.
 *
 * @param what - Name of the store, as its user writes it, for the message.
 * @param calls - The arguments of each method that is checked.
 * @param own - Methods that are called in place of the store's.
 */
export function checked<Store extends object>(
  what: string,
  store: Store,
  calls: Readonly<Record<string, Method>>,
  own: object = {},
): Store {
  const methods = Object.entries(calls).map(([name, checks]) => {
    const names = Object.keys(checks);
    const call = async (...given: readonly unknown[]): Promise<unknown> => {
      for (const [index, argument] of names.entries()) {
        const wrong = checks[argument]?.(given[index]);
        if (wrong !== undefined)
          throw new ConfigurationError(
            "INVALID_INPUT",
            `${said(argument, wrong)}. Write ${what}.${name}(${names.join(", ")}).`,
          );
      }
      const from = (name in own ? own : store) as Record<string, (...given: readonly unknown[]) => unknown>;
      return from[name]?.(...given);
    };
    return [name, call] as const;
  });
  return { ...store, ...Object.fromEntries(methods) };
}
