import type { RunInput } from "@bailiwick/core";
import { changeRecord, lineage, readRecord, type ChatBranch, type ChatPlace } from "../chat/chat-record.ts";
import { readTurns, type ChatSource, type ChatTurn } from "../chat/chat-turns.ts";
import type { ChatChange } from "./chat-request.ts";
import { RequestError } from "./request-error.ts";

/** The place at which a message of a chat starts its run. */
export interface StartPlace {
  /** The session of the branch. */
  readonly sessionId: string;
  readonly input: RunInput;
  /** Chooses a new branch, once its run began. */
  readonly begun: (() => Promise<unknown>) | undefined;
}

/** Longest title that is taken from the first message, in characters. */
const longestTitle = 80;

/**
 * Finds the branch that a message continues. A message that replaces an earlier one, or asks for another answer, gets a
 * new branch: a session with a copy of what comes before. The old one stays as it is.
 *
 * @param source - The agent and its store.
 * @param place - The chat and its owner.
 * @param change - The earlier place that the page goes back to.
 * @param given - What the page sent.
 * @throws RequestError `MESSAGE_UNKNOWN` when the chat has no such answer.
 */
export async function startPlace(
  source: ChatSource,
  place: ChatPlace,
  change: ChatChange | undefined,
  given: RunInput,
): Promise<StartPlace> {
  const record = await readRecord(place);
  const atTheEnd = async (): Promise<StartPlace> => {
    // From now on the chat is listed.
    if (!record.isStored) await changeRecord(place, (old) => ({ ...old, title: old.title ?? titleOf(given) }));
    return { sessionId: record.active, input: given, begun: undefined };
  };
  if (change === undefined) return atTheEnd();
  const { messages, turns } = await readTurns(source, lineage(record, record.active), place.owner);
  const at = turnAt(turns, change, place.chatId);
  const turn = turns[at];
  if (turn === undefined) return atTheEnd();
  // Another answer is asked for what is stored: parts that are not the user's own voice stay marked.
  const input = change.type === "regenerate" ? (turn.user[0] ?? given) : given;
  const branch: ChatBranch = {
    id: `${place.chatId}~${crypto.randomUUID()}`,
    parent: record.active,
    messageId: turn.user[0]?.id ?? change.messageId ?? "",
    createdAt: Date.now(),
  };
  await changeRecord(place, (old) => ({ ...old, branches: [...old.branches, branch] }));
  // Copied by place and not by id: ids of answers are the vendor's, and some vendors repeat them.
  const state = await place.sessions.loadState(record.active, place.owner);
  const copied = { ...place.owner, runId: "chat", seq: 0, state };
  await place.sessions.append(branch.id, messages.slice(0, turn.from), copied);
  return {
    sessionId: branch.id,
    input,
    begun: async () => changeRecord(place, (old) => ({ ...old, active: branch.id })),
  };
}

/** The turn from which on the new branch differs; past the last one for a message at the end. */
function turnAt(turns: readonly ChatTurn[], change: ChatChange, chatId: string): number {
  const { messageId } = change;
  const named =
    messageId === undefined
      ? turns.length - 1
      : turns.findIndex(({ run, user, rest }) => {
          if (user.some(({ id }) => id === messageId)) return true;
          return change.type === "regenerate" && (run?.run.id === messageId || rest[0]?.id === messageId);
        });
  if (named >= 0) return named;
  if (change.type === "regenerate") {
    throw new RequestError(
      409,
      "MESSAGE_UNKNOWN",
      `Chat "${chatId}" has no answer "${messageId ?? ""}" that could be made anew. Load the chat again.`,
    );
  }
  // A message that never arrived is sent again under its id: what the page shows before it says where.
  const parent = turns.findIndex(
    ({ run, user }) => run?.run.id === change.parentId || user.some(({ id }) => id === change.parentId),
  );
  return parent < 0 ? turns.length : parent + 1;
}

function titleOf(given: RunInput): string {
  const content = typeof given === "string" || !("role" in given) ? given : given.content;
  const text =
    typeof content === "string" ? content : content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > longestTitle ? `${[...line].slice(0, longestTitle - 1).join("")}…` : line;
}
