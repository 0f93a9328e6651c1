import { BailiwickError, type Owner, type SessionStore } from "@bailiwick/core";

/** A branch of a chat: a separate session that begins with a copy of an earlier one. */
export interface ChatBranch {
  /** The session's id; the first branch has the chat's own id. */
  readonly id: string;
  /** The branch that it was copied from; absent for the first one. */
  readonly parent?: string | undefined;
  /** The user message from which on the two differ; absent for the first one. */
  readonly messageId?: string | undefined;
  /** Milliseconds since the epoch; absent for the first one. */
  readonly createdAt?: number | undefined;
}

/** Data of a chat besides its messages, stored in the state of its session. */
export interface ChatRecord {
  /** The chat's id. The state of a branch has a copy of the record, whose `root` names another session. */
  readonly root: string;
  readonly title?: string | undefined;
  /** The branch that the page shows and the next message continues. */
  readonly active: string;
  /** The branches except the first one. */
  readonly branches: readonly ChatBranch[];
}

/** A chat's session store and owner. */
export interface ChatPlace {
  readonly sessions: SessionStore;
  readonly chatId: string;
  readonly owner: Owner;
}

/** Number of tries of a write that other requests overtake. */
const mostTries = 20;

/** Users of a shared session have a record each: a branch belongs to one user. */
const keyOf = ({ userId }: Owner): string => `bailiwick:chat:${userId ?? ""}`;

/** Reads the record from a session's state; `undefined` if it has none. */
export function recordIn(state: Readonly<Record<string, unknown>>, owner: Owner): ChatRecord | undefined {
  const found: unknown = Object.hasOwn(state, keyOf(owner)) ? state[keyOf(owner)] : undefined;
  return typeof found === "object" && found !== null ? (found as ChatRecord) : undefined;
}

/** The record of a chat; one without a stored record has one branch. */
export async function readRecord(place: ChatPlace): Promise<ChatRecord & { readonly isStored: boolean }> {
  const { sessions, chatId, owner } = place;
  const found = recordIn(await sessions.loadState(chatId, owner), owner);
  // The copy of another chat's record, in a session that was branched from it.
  if (found?.root !== chatId) return { root: chatId, active: chatId, branches: [], isStored: false };
  return { ...found, isStored: true };
}

/**
 * Changes a chat's record in one transaction; creates the session if there is none.
 *
 * @throws BailiwickError `CHAT_BUSY` when other requests change it each time.
 */
export async function changeRecord(place: ChatPlace, change: (record: ChatRecord) => ChatRecord): Promise<ChatRecord> {
  const { sessions, chatId, owner } = place;
  const key = keyOf(owner);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const state = await sessions.loadState(chatId, owner);
    const { isStored: _, ...before } = await readRecord(place);
    const value = JSON.parse(JSON.stringify(change(before))) as ChatRecord;
    const expected: unknown = Object.hasOwn(state, key) ? state[key] : undefined;
    const { written } = await sessions.writeState(chatId, [{ key, value, expected }], { ...owner, runId: "chat" });
    if (written) return value;
  }
  throw new BailiwickError("CHAT_BUSY", `Chat "${chatId}" is being changed by other requests. Try again.`);
}

/**
 * Gives the record in a session's state to the session's new owner, unless that owner has one; returns the owner's.
 *
 * @param place - The session, also one of a branch, and its new owner.
 * @param former - The owner before.
 */
export async function adoptRecord(place: ChatPlace, former: Owner): Promise<ChatRecord | undefined> {
  const { sessions, chatId, owner } = place;
  const state = await sessions.loadState(chatId, owner);
  const own = recordIn(state, owner);
  const value = recordIn(state, former);
  if (own !== undefined || value === undefined) return own;
  await sessions.writeState(chatId, [{ key: keyOf(owner), value, expected: undefined }], { ...owner, runId: "chat" });
  return recordIn(await sessions.loadState(chatId, owner), owner);
}

/** The sessions of a branch: its own, then those that it was copied from. */
export function lineage({ root, branches }: ChatRecord, branch: string): readonly string[] {
  const line = [branch];
  for (let at = branch; at !== root;) {
    const parent = branches.find(({ id }) => id === at)?.parent;
    if (parent === undefined || line.includes(parent)) return line;
    line.push(parent);
    at = parent;
  }
  return line;
}

/** Makes the session id of a chat's new branch. */
export const newBranchId = (chatId: string): string => `${chatId}~${crypto.randomUUID()}`;

/** The chat of a branch, by the id of its session; `undefined` if the id is not that of a branch. */
export function branchRoot(sessionId: string): string | undefined {
  const at = sessionId.lastIndexOf("~");
  return at < 0 ? undefined : sessionId.slice(0, at);
}

/** All branches of a chat, the first one included. */
export function branchesOf({ root, branches }: ChatRecord): readonly ChatBranch[] {
  return [{ id: root }, ...branches];
}
