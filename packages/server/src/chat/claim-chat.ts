import { checkArgument, SessionNotFoundError, type Owner, type SessionStore } from "@bailiwick/core";
import { adoptRecord } from "./chat-record.ts";

/**
 * Transfers a chat of a caller without a user to the user who signed in: its messages, title, branches and runs.
 * Afterwards only that user can reach them by their ids. Call it again after a crash or a lost connection: it
 * continues.
 *
 * @param sessions - The agent's session store, such as `store.sessions`.
 * @param chatId - The chat's id. Take it from the browser that signs in: knowing the id proves that the chat belongs to
 *   it.
 * @param owner - The user, and the tenant of both.
 * @throws SessionNotFoundError `SESSION_NOT_FOUND` if there is no such chat, or it has another user.
 * @throws StoreError `SESSION_EXISTS` if the user has a chat with this id.
 * @example
 * ```ts
 * import type { SessionStore } from "@bailiwick/agent";
 * import { claimChat } from "@bailiwick/server";
 *
 * export async function afterSignIn(sessions: SessionStore, chatId: string, userId: string): Promise<void> {
 *   await claimChat(sessions, chatId, { userId });
 * }
 * ```
 */
export async function claimChat(
  sessions: SessionStore,
  chatId: string,
  owner: Owner & { readonly userId: string },
): Promise<void> {
  checkArgument(sessions, "claim", "claimChat(sessions, chatId, { userId })");
  checkArgument(chatId, "string", "claimChat(sessions, chatId, { userId })");
  checkArgument(owner?.userId, "string", "claimChat(sessions, chatId, { userId })");
  const former: Owner = { tenantId: owner.tenantId };
  const missing = await claimFound(sessions, chatId, owner);
  const record = await adoptRecord({ sessions, chatId, owner }, former);
  // With a record, an earlier call handed over the first session, and may have stopped before the branches.
  if (missing !== undefined && record === undefined) throw missing;
  if (record?.root !== chatId) return;
  for (const { id } of record.branches) {
    await claimFound(sessions, id, owner);
    await adoptRecord({ sessions, chatId: id, owner }, former);
  }
}

/** Claims a session; returns the store's error if there is none without a user. */
async function claimFound(
  sessions: SessionStore,
  id: string,
  owner: Owner & { readonly userId: string },
): Promise<SessionNotFoundError | undefined> {
  try {
    await sessions.claim(id, owner);
    return undefined;
  } catch (error) {
    if (error instanceof SessionNotFoundError) return error;
    throw error;
  }
}
