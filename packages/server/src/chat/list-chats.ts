import type { Owner, SessionStore } from "@bailiwick/core";
import { recordIn } from "./chat-record.ts";

/** A chat in a list. */
export interface ChatView {
  readonly id: string;
  readonly title?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** Sessions that are looked at for each chat of the list: branches are sessions too. */
const sessionsPerChat = 4;

/**
 * The chats of an owner, newest first. A branch counts as its chat.
 *
 * @param sessions - Where they are kept.
 * @param owner - Their owner.
 * @param limit - The most that are listed.
 */
export async function listChats(sessions: SessionStore, owner: Owner, limit: number): Promise<readonly ChatView[]> {
  const chats = new Map<string, ChatView>();
  for (const { id, updatedAt } of await sessions.list({ ...owner, limit: limit * sessionsPerChat })) {
    const root = recordIn(await sessions.loadState(id, owner), owner)?.root ?? id;
    if (chats.has(root)) continue;
    if (chats.size === limit) break;
    const title = recordIn(await sessions.loadState(root, owner), owner)?.title;
    chats.set(root, { id: root, ...(title !== undefined && { title }), updatedAt });
  }
  return [...chats.values()];
}
