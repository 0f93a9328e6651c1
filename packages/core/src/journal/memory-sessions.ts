import { checkKnownNames } from "../errors/value-checks.ts";
import type { Clock } from "../contracts/ports/clock.ts";
import type { Ids } from "../contracts/ports/ids.ts";
import type { SessionStore } from "../contracts/ports/session-store.ts";
import { lateMethods } from "../loading/lazy-part.ts";
import type * as store from "./sealed-session-store.ts";
import { conversations } from "./sealed-sessions.ts";
import type { JoinedSessions } from "./memory/sessions.ts";
import { sessionMethods } from "./session-methods.ts";
import { randomIds, systemClock } from "./default-ports.ts";

/**
 * Sessions in memory. Tenant and user are part of every key: the same id under two owners is two sessions.
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
  checkKnownNames(options, ["clock", "ids"], "memorySessions()");
  const { join: _join, forget: _forget, kindOf: _kind, ...sessions } = joinedSessions(options.clock, options.ids);
  return sessions;
}

/** The sessions of a store in memory, which also keeps the runs. */
export function joinedSessions(clock: Clock = systemClock, ids: Ids = randomIds): JoinedSessions {
  return lateMethods<typeof store, JoinedSessions, keyof JoinedSessions>(
    conversations,
    [...sessionMethods, "join", "forget", "kindOf"],
    ({ sessionRows }) => sessionRows(clock, ids),
  );
}
