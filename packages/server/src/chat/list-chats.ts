import type { Owner, SessionStore } from "@bailiwick/core";
import { branchRoot, recordIn } from "./chat-record.ts";

/** A chat in a list. */
export interface ChatView {
  /** Id of the chat. */
  readonly id: string;
  /** Title, if the chat has one. */
  readonly title?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** A page of chats. */
export interface ChatList {
  readonly chats: readonly ChatView[];
  /** Cursor of the next page; absent on the last page. */
  readonly older?: ListCursor | undefined;
}

/** A place in the list: after a chat that was last changed at a time. */
export interface ListCursor {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** Number of sessions that are read for each chat of the list: branches are sessions too. */
const sessionsPerChat = 4;

/**
 * Lists the chats of an owner, newest first. A branch counts as its chat.
 *
 * @param sessions - The store of the sessions.
 * @param owner - Their owner.
 * @param limit - The most that are listed.
 * @param before - The place after which the page begins; default: the newest chat is the first.
 */
export async function listChats(
  sessions: SessionStore,
  owner: Owner,
  limit: number,
  before?: ListCursor,
): Promise<ChatList> {
  const roots = new Map<string, number>();
  let looked = 0;
  for (let asked = (limit + 1) * sessionsPerChat; ; asked *= sessionsPerChat) {
    const listed = await sessions.list({ ...owner, limit: asked });
    for (const { id, updatedAt } of listed.slice(looked)) {
      const root = await rootOf(sessions, id, owner);
      if (!roots.has(root)) roots.set(root, updatedAt);
    }
    looked = listed.length;
    const further = [...roots].slice(placeAfter([...roots], before));
    if (further.length <= limit && listed.length === asked) continue;
    const page = further.slice(0, limit);
    const [last] = page.slice(-1);
    const chats = await Promise.all(page.map(async ([id, updatedAt]) => viewOf(sessions, id, updatedAt, owner)));
    const older = last === undefined ? undefined : { id: last[0], updatedAt: last[1] };
    return { chats, ...(further.length > limit && { older }) };
  }
}

/** The index after a chat. If the chat was changed or deleted since, its time shows the position. */
function placeAfter(roots: readonly (readonly [string, number])[], before: ListCursor | undefined): number {
  if (before === undefined) return 0;
  const same = roots.findIndex(([id, updatedAt]) => id === before.id && updatedAt === before.updatedAt);
  if (same >= 0) return same + 1;
  const next = roots.findIndex(([, updatedAt]) => updatedAt <= before.updatedAt);
  return next < 0 ? roots.length : next;
}

async function rootOf(sessions: SessionStore, id: string, owner: Owner): Promise<string> {
  if (branchRoot(id) === undefined) return id;
  return recordIn(await sessions.loadState(id, owner), owner)?.root ?? id;
}

async function viewOf(sessions: SessionStore, id: string, updatedAt: number, owner: Owner): Promise<ChatView> {
  const title = recordIn(await sessions.loadState(id, owner), owner)?.title;
  return { id, ...(title !== undefined && { title }), updatedAt };
}
