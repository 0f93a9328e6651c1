import { checkKnownNames } from "../errors/known-names.ts";
import type { Clock } from "../contracts/ports/clock.ts";
import type { Ids } from "../contracts/ports/ids.ts";
import type { SessionStore } from "../contracts/ports/session-store.ts";
import { inMemory } from "./memory-part.ts";
import { randomIds, systemClock } from "./default-ports.ts";

const methods = [
  "load",
  "append",
  "loadState",
  "writeState",
  "list",
  "search",
  "branch",
  "edit",
  "delete",
  "export",
  "import",
  "share",
  "claim",
] as const satisfies readonly (keyof SessionStore)[];

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
  const { clock = systemClock, ids = randomIds } = options;
  return inMemory<SessionStore, (typeof methods)[number]>(methods, ({ sessionRows }) => sessionRows(clock, ids));
}
