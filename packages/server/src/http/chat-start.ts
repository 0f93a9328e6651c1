import type { ContentPart, Owner, RunInput, UserMessage } from "@bailiwick/core";
import { canonicalJson } from "@bailiwick/core/extension";
import {
  changeRecord,
  newBranchId,
  readRecord,
  type ChatBranch,
  type ChatPlace,
  type ChatRecord,
} from "../chat/chat-record.ts";
import type { ChatSource } from "../chat/chat-source.ts";
import type { ChatTurn } from "../chat/chat-turns.ts";
import { outerRuns } from "../runs/outer-runs.ts";
import { branchReader, hasMessage, type ReadBranch } from "./chat-branch-reader.ts";
import type { ChatChange } from "./chat-request.ts";
import type { JsonBody } from "./read-body.ts";
import { RequestError } from "./request-error.ts";

/** The place at which a message of a chat starts its run. */
export interface StartPlace {
  /** The session of the branch. */
  readonly sessionId: string;
  readonly input: RunInput;
  /** Chooses the branch, once its run has begun. */
  readonly begun: (() => Promise<unknown>) | undefined;
}

/** A place to start, or the run that this message has started before. */
export type ChatStep = StartPlace | { readonly runId: string };

/** The message of a request, and those before it that the server may never have received. */
export interface GivenMessages {
  readonly input: RunInput;
  /** Converts an earlier message of the page, with the checks of a new one. */
  readonly read: (message: JsonBody) => Promise<UserMessage>;
}

/** Maximum length of a title taken from the first message, in characters. */
const longestTitle = 80;

/**
 * Finds the branch that a message continues, so that the model reads the messages that the page shows. A message that
 * replaces an earlier one, asks for another answer, or follows an earlier one gets a new branch: a session with a
 * copy of the earlier messages. The old branch is unchanged. A parent on another branch continues that branch. Each
 * request works if the server never received the page's former messages: they are stored before the new one.
 *
 * @param source - The agent and its store.
 * @param place - The chat and its owner.
 * @param change - The place that the page names.
 * @param given - The page's messages.
 * @throws RequestError `MESSAGE_UNKNOWN` if no branch has the parent that the page names.
 */
export async function startPlace(
  source: ChatSource,
  place: ChatPlace,
  change: ChatChange,
  given: GivenMessages,
): Promise<ChatStep> {
  const record = await readRecord(place);
  if (await isAtTheEnd(source, place.owner, record.active, change)) {
    await list(place, record, given.input);
    return { sessionId: record.active, input: given.input, begun: undefined };
  }
  const branches = branchReader(source, place.owner, record);
  const sent = await sentBefore(branches, change, given.input);
  if (sent !== undefined) return ofSent(place, record, sent, change, given.input);
  const before = await Promise.all(change.before.map((message) => given.read(message)));
  const after = await placeAfter(branches, before, change);
  if (after === undefined) throw parentUnknown(place.chatId, change.parentIds?.[0] ?? "");
  const { branch, index, missing } = after;
  await list(place, record, given.input);
  const next = branch.turns[index];
  const sessionId = next === undefined ? branch.id : await branchOff(place, branch, next);
  await appendMissing(place, sessionId, missing);
  return { sessionId, input: given.input, begun: choosing(place, record, sessionId) };
}

/** From here on, the chat is listed. */
async function list(place: ChatPlace, record: Awaited<ReturnType<typeof readRecord>>, input: RunInput): Promise<void> {
  if (!record.isStored) await changeRecord(place, (old) => ({ ...old, title: old.title ?? titleOf(input) }));
}

/** True if the page shows the newest run before its message, or names no place; then no journal is read. */
async function isAtTheEnd(
  { agent, store }: ChatSource,
  { tenantId, userId }: Owner,
  sessionId: string,
  { type, messageId, before, parentIds }: ChatChange,
): Promise<boolean> {
  if (type === "regenerate" || messageId !== undefined || before.length > 0) return false;
  if (parentIds === undefined) return true;
  const [newest] = await outerRuns(store, { sessionId, agentId: agent.name, tenantId, userId }, 1);
  return newest !== undefined && newest.id === parentIds[0];
}

/** A turn of a branch, by its position. */
interface FoundTurn {
  readonly branch: ReadBranch;
  readonly index: number;
}

/**
 * The turn whose message or answer the request names. Branches may have different texts under one id, because an edited
 * message keeps its id: the one whose text the page sends comes first.
 */
async function sentBefore(
  branches: AsyncIterable<ReadBranch>,
  { type, messageId, lastId, parentIds = [] }: ChatChange,
  input: RunInput,
): Promise<FoundTurn | undefined> {
  let other: FoundTurn | undefined;
  for await (const branch of branches) {
    const named = type === "regenerate" && messageId !== lastId ? find(branch, messageId) : -1;
    const index = named >= 0 ? named : find(branch, lastId);
    const turn = branch.turns[index];
    // The first of the newest turns has a parent that was not read.
    if (turn === undefined || (index === 0 && !branch.isWhole)) continue;
    const isParent = parentIds.length === 0 || parentIds.some((id) => hasMessage(branch.turns[index - 1], id));
    if (isParent && (named >= 0 || isSame(turn, input))) return { branch, index };
    other ??= { branch, index };
  }
  return other;
}

/** Another answer to a stored message, another text of it, or the answer that the first request with it started. */
async function ofSent(
  place: ChatPlace,
  record: ChatRecord,
  { branch, index }: FoundTurn,
  { type, messageId, lastId }: ChatChange,
  given: RunInput,
): Promise<ChatStep> {
  const turn = branch.turns[index];
  if (turn === undefined) throw parentUnknown(place.chatId, lastId ?? "");
  const isAnswer = type === "regenerate" && messageId !== lastId && hasMessage(turn, messageId);
  const isStored = isAnswer || isSame(turn, given);
  const { run } = turn;
  // The page sends the message again, because its first request or the answer was lost.
  if (type === "submit" && messageId === undefined && isStored && run !== undefined && !hasFailed(run.run.state))
    return { runId: run.run.id };
  const sessionId = await branchOff(place, branch, turn);
  // A new answer to a stored message: untrusted parts keep their mark.
  const input = type === "regenerate" && isStored ? (turn.user[0] ?? given) : given;
  return { sessionId, input, begun: choosing(place, record, sessionId) };
}

const hasFailed = (state: string): boolean => state === "failed" || state === "cancelled";

/** A position in a branch, and the page's messages from there on that the branch lacks. */
interface PlaceAfter extends FoundTurn {
  readonly missing: readonly UserMessage[];
}

/**
 * The position after the parent that the page names, or after the last of the page's messages that a branch has.
 *
 * @param before - The page's messages between the parent and the new one.
 */
async function placeAfter(
  branches: AsyncIterable<ReadBranch>,
  before: readonly UserMessage[],
  { parentIds, isParentNeeded }: ChatChange,
): Promise<PlaceAfter | undefined> {
  const named = parentIds ?? [];
  const parents = new Map<string, FoundTurn>();
  let edited: PlaceAfter | undefined;
  let active: ReadBranch | undefined;
  for await (const branch of branches) {
    if (branch.isWhole) active ??= branch;
    const known = afterKnown(branch, before);
    if (known !== undefined) return known;
    edited ??= ofEdited(branch, before);
    for (const id of named) {
      const index = find(branch, id);
      if (index >= 0 && !parents.has(id)) parents.set(id, { branch, index: index + 1 });
    }
    if (before.length === 0 && parents.has(named[0] ?? "")) break;
  }
  const [parent] = named.flatMap((id) => parents.get(id) ?? []);
  if (parent !== undefined) return { ...parent, missing: before };
  // A message that a branch has with another text: its edit was lost.
  if (edited !== undefined) return edited;
  if (active === undefined || isParentNeeded) return undefined;
  // A page that shows nothing begins the chat again; one that does not say continues at the end.
  return { branch: active, index: parentIds?.length === 0 ? 0 : active.turns.length, missing: before };
}

/** The position after the last of the page's messages that a branch has with the same content. */
function afterKnown(branch: ReadBranch, before: readonly UserMessage[]): PlaceAfter | undefined {
  const at = before.findLastIndex((message) => hasSame(branch, message));
  if (at < 0) return undefined;
  return { branch, index: find(branch, before[at]?.id) + 1, missing: before.slice(at + 1) };
}

/** The position of the first of the page's messages that a branch has with another text. */
function ofEdited(branch: ReadBranch, before: readonly UserMessage[]): PlaceAfter | undefined {
  const at = before.findIndex(({ id }) => find(branch, id) >= 0);
  return at < 0 ? undefined : { branch, index: find(branch, before[at]?.id), missing: before.slice(at) };
}

/** True if a branch has a message of the page with the same content. */
function hasSame(branch: ReadBranch, message: UserMessage): boolean {
  const turn = branch.turns[find(branch, message.id)];
  if (turn === undefined) return false;
  const stored = turn.user.find(({ id }) => id === message.id);
  return stored === undefined || isEqual(stored, message);
}

function find({ turns }: ReadBranch, id: unknown): number {
  return typeof id === "string" ? turns.findIndex((turn) => hasMessage(turn, id)) : -1;
}

/** A new branch with a copy of the messages before a turn. Returns its session. */
async function branchOff(place: ChatPlace, branch: ReadBranch, turn: ChatTurn): Promise<string> {
  const made: ChatBranch = {
    id: newBranchId(place.chatId),
    parent: branch.id,
    messageId: turn.user[0]?.id ?? "",
    createdAt: Date.now(),
  };
  await changeRecord(place, (old) => ({ ...old, branches: [...old.branches, made] }));
  // Copied by position, because answers have the vendor's ids and some vendors repeat ids.
  const state = await place.sessions.loadState(branch.id, place.owner);
  const copied = { ...place.owner, runId: "chat", seq: 0, state };
  await place.sessions.append(made.id, branch.messages.slice(0, turn.from), copied);
  return made.id;
}

/** Stores messages that were lost on their way. The id of the first makes a repeated call harmless. */
async function appendMissing(place: ChatPlace, sessionId: string, missing: readonly UserMessage[]): Promise<void> {
  const [first] = missing;
  if (first === undefined) return;
  const askedAt = Date.now();
  await place.sessions.append(sessionId, missing, { ...place.owner, runId: `chat-${first.id}`, seq: 0, askedAt });
}

function choosing(place: ChatPlace, record: ChatRecord, sessionId: string): StartPlace["begun"] {
  if (sessionId === record.active) return undefined;
  return async () => changeRecord(place, (old) => ({ ...old, active: sessionId }));
}

/** True if a turn answers a message with the same content. */
function isSame({ user }: ChatTurn, given: RunInput): boolean {
  const [asked] = user;
  return asked !== undefined && isEqual(asked, given);
}

const isEqual = (one: RunInput, other: RunInput): boolean => canonicalJson(plain(one)) === canonicalJson(plain(other));

/** The content without the marks of its origin, which a page does not send. */
function plain(given: RunInput): readonly object[] {
  const content = typeof given === "string" || !("role" in given) ? given : given.content;
  const parts: readonly ContentPart[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return parts.map((part) => ({ ...part, untrusted: undefined }));
}

function parentUnknown(chatId: string, id: string): RequestError {
  return new RequestError(
    409,
    "MESSAGE_UNKNOWN",
    `Chat "${chatId}" has no message "${id}", so the message after it was not sent. Load the chat again (GET /chat/:id) and send it after a message that the chat has, or with "parentId": null as the first one.`,
  );
}

function titleOf(given: RunInput): string {
  const content = typeof given === "string" || !("role" in given) ? given : given.content;
  const text =
    typeof content === "string" ? content : content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > longestTitle ? `${[...line].slice(0, longestTitle - 1).join("")}…` : line;
}
