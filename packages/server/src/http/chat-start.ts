import type { Owner, RunInput } from "@bailiwick/core";
import {
  changeRecord,
  lineage,
  newBranchId,
  readRecord,
  type ChatBranch,
  type ChatPlace,
} from "../chat/chat-record.ts";
import type { ChatSource } from "../chat/chat-source.ts";
import { readTurns, type ChatContent, type ChatTurn } from "../chat/chat-turns.ts";
import { outerRuns } from "../runs/outer-runs.ts";
import type { ChatChange } from "./chat-request.ts";
import { RequestError } from "./request-error.ts";

/** The place at which a message of a chat starts its run. */
export interface StartPlace {
  /** The session of the branch. */
  readonly sessionId: string;
  readonly input: RunInput;
  /** Chooses a new branch, once its run has begun. */
  readonly begun: (() => Promise<unknown>) | undefined;
}

/** Maximum length of a title taken from the first message, in characters. */
const longestTitle = 80;

/**
 * Finds the branch that a message continues, so that the model reads the messages that the page shows. A message that
 * replaces an earlier one, asks for another answer, or follows an earlier one gets a new branch: a session with a
 * copy of the earlier messages. The old branch is unchanged. A page that shows nothing before its message continues
 * at the end.
 *
 * @param source - The agent and its store.
 * @param place - The chat and its owner.
 * @param change - The earlier place that the page goes back to.
 * @param given - The page's request.
 * @throws RequestError `MESSAGE_UNKNOWN` if the chat has no such answer.
 */
export async function startPlace(
  source: ChatSource,
  place: ChatPlace,
  change: ChatChange,
  given: RunInput,
): Promise<StartPlace> {
  const record = await readRecord(place);
  const atTheEnd = async (): Promise<StartPlace> => {
    // From here on, the chat is listed.
    if (!record.isStored) await changeRecord(place, (old) => ({ ...old, title: old.title ?? titleOf(given) }));
    return { sessionId: record.active, input: given, begun: undefined };
  };
  if (await isAtTheEnd(source, place.owner, record.active, change)) return atTheEnd();
  const { messages, turns } = await readAround(source, lineage(record, record.active), place.owner, change);
  const at = turnAt(turns, change, place.chatId);
  const turn = turns[at];
  if (turn === undefined) return atTheEnd();
  // A new answer to a stored message: untrusted parts keep their mark.
  const input = change.type === "regenerate" ? (turn.user[0] ?? given) : given;
  const branch: ChatBranch = {
    id: newBranchId(place.chatId),
    parent: record.active,
    messageId: turn.user[0]?.id ?? "",
    createdAt: Date.now(),
  };
  await changeRecord(place, (old) => ({ ...old, branches: [...old.branches, branch] }));
  // Copied by position, because answers have the vendor's ids and some vendors repeat ids.
  const state = await place.sessions.loadState(record.active, place.owner);
  const copied = { ...place.owner, runId: "chat", seq: 0, state };
  await place.sessions.append(branch.id, messages.slice(0, turn.from), copied);
  return {
    sessionId: branch.id,
    input,
    begun: async () => changeRecord(place, (old) => ({ ...old, active: branch.id })),
  };
}

/** True if the page shows the newest run before its message, or nothing; then no journal is read. */
async function isAtTheEnd(
  { agent, store }: ChatSource,
  { tenantId, userId }: Owner,
  sessionId: string,
  { type, messageId, parentId }: ChatChange,
): Promise<boolean> {
  if (type === "regenerate" || messageId !== undefined) return false;
  if (parentId === undefined) return true;
  const [newest] = await outerRuns(store, { sessionId, agentId: agent.name, tenantId, userId }, 1);
  return newest?.id === parentId;
}

/** Number of turns that are searched for an edited message before all journals are read. */
const recentTurns = 50;

/** Reads the newest turns, or all turns if those do not contain the place of a change. */
async function readAround(
  source: ChatSource,
  line: readonly string[],
  owner: Owner,
  { messageId, parentId }: ChatChange,
): Promise<ChatContent> {
  const recent = await readTurns(source, line, owner, { limit: recentTurns });
  const isThere = [messageId, parentId].some((id) => id !== undefined && recent.turns.some((turn) => has(turn, id)));
  return isThere || recent.older === undefined ? recent : readTurns(source, line, owner);
}

/** The turn from which on the new branch differs; past the last one for a message at the end. */
function turnAt(turns: readonly ChatTurn[], { type, messageId, parentId }: ChatChange, chatId: string): number {
  const find = (id: string | undefined): number => (id === undefined ? -1 : turns.findIndex((turn) => has(turn, id)));
  const named = find(messageId);
  if (named >= 0) return named;
  if (type === "regenerate") {
    throw new RequestError(
      409,
      "MESSAGE_UNKNOWN",
      `Chat "${chatId}" has no answer "${messageId ?? ""}" that could be regenerated. Load the chat again.`,
    );
  }
  // A message that never arrived is sent again under its id; the message before it gives the position.
  const parent = find(parentId);
  return parent < 0 ? turns.length : parent + 1;
}

function has({ run, user, rest }: ChatTurn, id: string): boolean {
  return run?.run.id === id || rest[0]?.id === id || user.some((message) => message.id === id);
}

function titleOf(given: RunInput): string {
  const content = typeof given === "string" || !("role" in given) ? given : given.content;
  const text =
    typeof content === "string" ? content : content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > longestTitle ? `${[...line].slice(0, longestTitle - 1).join("")}…` : line;
}
