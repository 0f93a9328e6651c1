import type { Sealer } from "../contracts/ports/security.ts";
import type { SessionStore } from "../contracts/ports/session-store.ts";
import { checkArgument } from "../errors/value-checks.ts";
import { lateMethods, lazyPart, type LazyPart } from "../loading/lazy-part.ts";
import type * as store from "./sealed-session-store.ts";
import { sessionMethods } from "./session-methods.ts";

/** The forms of stored and given messages. */
export const conversations: LazyPart<typeof store> = lazyPart(
  "The reading of conversations",
  () => import("./sealed-session-store.ts"),
);

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
  checkArgument(sessions, "append", "sealedSessions(sessions, sealer)");
  return readableSessions(sessions, sealer);
}

/**
 * Sessions as a run reads them.
 *
 * @param warn - Receives the problem of each stored entry that no model could read.
 */
export function readableSessions(
  sessions: SessionStore,
  sealer: Sealer | undefined,
  warn?: (problem: string) => void,
): SessionStore {
  return lateMethods<typeof store, SessionStore, keyof SessionStore>(
    conversations,
    sessionMethods,
    ({ sealedSessionStore }) => sealedSessionStore(sessions, sealer, warn),
  );
}
