import type { Owner, SessionStore } from "@bailiwick/core";
import { RequestError } from "./request-error.ts";

/** Maximum number of tries of a write against newer values. */
const mostTries = 5;

/** The keys of a session's state that a page may use, with their values. */
export interface PageState {
  readonly keys: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Writes the page's values to the session's state, and reads all keys that it may use.
 *
 * @param sent - The page's values; keys that it may not use are left out.
 * @throws RequestError `STATE_CONFLICT` if other writers were faster each time.
 */
export async function writePageState(
  { session, keys }: { readonly session: SessionStore; readonly keys: readonly string[] },
  sessionId: string,
  sent: Readonly<Record<string, unknown>>,
  run: Owner & { readonly runId: string },
): Promise<PageState> {
  const allowed = (all: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    Object.fromEntries(keys.flatMap((key) => (Object.hasOwn(all, key) ? [[key, all[key]]] : [])));
  const wanted = allowed(sent);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const stored = await session.loadState(sessionId, run);
    const writes = Object.entries(wanted)
      .filter(([key, value]) => JSON.stringify(stored[key]) !== JSON.stringify(value))
      .map(([key, value]) => ({ key, value, expected: stored[key] }));
    if (writes.length === 0) return { keys, values: allowed(stored) };
    const { written } = await session.writeState(sessionId, writes, run);
    if (written) return { keys, values: { ...allowed(stored), ...wanted } };
  }
  throw new RequestError(409, "STATE_CONFLICT", "Other writers changed the state at the same time. Send it again.");
}
