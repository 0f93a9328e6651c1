import type { Owner } from "../contracts/owner.ts";
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
 * Seals a session with the first key of a sealer, message by message, after a key was added. Its runs keep reading it.
 *
 * @param sessions - The store of the sessions, not the result of `sealedSessions`.
 * @param sealer - Made from all keys of `keys.seal`: it reads with each of them.
 * @param id - The session.
 * @param owner - Tenant and user of the session.
 * @throws SessionNotFoundError
 * @throws SealKeyMissingError if no key opens a message.
 * @example
 * ```ts
 * import { resealSession, type Sealer, type SessionStore } from "@bailiwick/core";
 *
 * export async function rotate(sessions: SessionStore, sealer: Sealer, tenantId: string): Promise<void> {
 *   for (const { id } of await sessions.list({ tenantId, limit: 1_000 })) await resealSession(sessions, sealer, id, { tenantId });
 * }
 * ```
 */
export async function resealSession(
  sessions: SessionStore,
  sealer: Sealer,
  id: string,
  owner: Owner = {},
): Promise<void> {
  checkArgument(sessions, "append", "resealSession(sessions, sealer, id, owner)");
  await conversations(({ sealedAnew }) => sealedAnew(sessions, sealer, id, owner));
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
