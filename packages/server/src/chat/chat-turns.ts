import type { Message, Owner, UserMessage } from "@bailiwick/core";
import { createRunSource, type ChatRun, type RunSource } from "./chat-runs.ts";
import type { ChatSource } from "./chat-source.ts";

/** One turn of a chat: the user's message, and the run that answers it. */
export interface ChatTurn {
  /** The run; absent if the messages have no run any more, or it belongs to another user. */
  readonly run?: ChatRun | undefined;
  readonly user: readonly UserMessage[];
  /** The other messages of a turn without a run. */
  readonly rest: readonly Message[];
  /** Number of the session's messages before it. */
  readonly from: number;
}

/** A place in a chat: the end of an earlier page. */
export interface ChatCursor {
  /** Number of the session's messages before it. */
  readonly position: number;
  /** No run of an earlier page is newer, in milliseconds since the epoch. */
  readonly time: number;
}

/** A stored branch of a chat, or a page of it. */
export interface ChatContent {
  /** All messages of the session. */
  readonly messages: readonly Message[];
  readonly turns: readonly ChatTurn[];
  /** The place where the previous page ends; absent on the first page. */
  readonly older?: ChatCursor | undefined;
}

/** Part of a chat that is read. */
export interface ChatPage {
  /** Most turns. */
  readonly limit: number;
  /** Default: the end of the chat. */
  readonly before?: ChatCursor | undefined;
}

/**
 * Reads a branch: the session's messages in their order, each with its run, and the runs of the branch that have not
 * joined the session, such as one that waits for a person. Only the journals of the page's turns are read.
 *
 * @param source - The agent and its store.
 * @param line - The branch's session, then those that it was copied from.
 * @param owner - The user whose runs they are.
 * @param page - Default: all of it.
 */
export async function readTurns(
  source: ChatSource,
  line: readonly string[],
  owner: Owner,
  page?: ChatPage,
): Promise<ChatContent> {
  const [sessionId = ""] = line;
  const runs = createRunSource(source, line, owner, page?.before?.time);
  const messages = (await source.agent.sessions?.load(sessionId, owner))?.messages ?? [];
  const end = endOf(messages, page);
  // One turn more than the page has: a run that has not joined the session may be between the two.
  const start = page === undefined ? 0 : await startOf(messages, end, page.limit + 1, runs);
  if (start === 0) await runs.readTo(-Infinity);
  const joined = await joinedTurns(messages, start, end, runs);
  await readToFirst(joined, runs);
  const stored = start === 0 && end === messages.length ? [] : messages;
  const turns = withOpenRuns(joined, stored, end, runs, page?.before === undefined);
  const further = page === undefined ? -1 : joined.length - page.limit - 1;
  if (start === 0 && further < 0) return { messages, turns };
  const last = joined[further];
  const kept = last === undefined ? turns : turns.slice(turns.indexOf(last) + 1);
  return { messages, turns: kept, older: { position: joined[further + 1]?.from ?? start, time: newestTime(joined) } };
}

function newestTime(turns: readonly ChatTurn[]): number {
  const times = turns.flatMap(({ run }) => (run === undefined ? [] : [run.run.createdAt]));
  return times.length === 0 ? Infinity : Math.max(...times);
}

function endOf(messages: readonly Message[], page: ChatPage | undefined): number {
  return Math.min(page?.before?.position ?? messages.length, messages.length);
}

/** Reads the runs since the first turn. */
async function readToFirst(turns: readonly ChatTurn[], runs: RunSource): Promise<void> {
  const oldest = turns[0]?.run?.run.createdAt;
  if (oldest !== undefined) await runs.readTo(oldest);
}

/** The place of the message with which a number of turns before another place begins. */
async function startOf(messages: readonly Message[], end: number, turns: number, runs: RunSource): Promise<number> {
  let at = end;
  for (let count = 0; count < turns && at > 0; count += 1) {
    const user = messages.findLastIndex(({ role }, index) => index < at && role === "user");
    if (user < 0) return 0;
    const run = await runs.find(messages[user]?.id ?? "");
    const first = run === undefined ? undefined : inputOf(run)[0]?.id;
    // A message that was inserted into a run belongs to the turn that the run's input begins.
    const begins = messages.findLastIndex(({ id }, index) => index <= user && id === first);
    at = begins < 0 ? user : begins;
  }
  return at;
}

async function joinedTurns(
  messages: readonly Message[],
  start: number,
  end: number,
  runs: RunSource,
): Promise<ChatTurn[]> {
  const turns: ChatTurn[] = [];
  let current: { readonly ids: ReadonlySet<string>; readonly rest: Message[] } | undefined;
  for (let from = start; from < end; from += 1) {
    const message = messages[from] as Message;
    if (message.role === "system" || current?.ids.has(message.id) === true) continue;
    await runs.find(message.id);
    const all = runs
      .all()
      .filter(({ run, ids }) => ids.has(message.id) || message.id.startsWith(`${run.id}-failed-`))
      .filter((run) => run.isOwn || !hasOtherText(run, message));
    const next = all.find(({ run }) => !turns.some((turn) => turn.run?.run.id === run.id));
    if (next !== undefined) {
      current = { ids: next.ids, rest: [] };
      turns.push({ run: next, user: inputOf(next), rest: [], from });
    } else if (all.length === 0 && (message.role === "user" || current === undefined)) {
      const rest: Message[] = message.role === "user" ? [] : [message];
      current = { ids: new Set(), rest };
      turns.push({ user: message.role === "user" ? [message] : [], rest, from });
    } else if (all.length === 0) current?.rest.push(message);
  }
  return turns;
}

/** True for another text under the same id: an edited message keeps its id, and each branch has its own text. */
function hasOtherText(run: ChatRun, { id, role, content }: Message): boolean {
  const asked = role === "user" ? inputOf(run).find((one) => one.id === id) : undefined;
  return asked !== undefined && textOf(asked.content) !== textOf(content);
}

function textOf(content: Message["content"]): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** The turns with the runs of the branch's own session that have not joined it: their input is not stored. */
function withOpenRuns(
  joined: readonly ChatTurn[],
  messages: readonly Message[],
  end: number,
  runs: RunSource,
  isNewest: boolean,
): readonly ChatTurn[] {
  const turns = [...joined];
  const stored = new Set(messages.map(({ id }) => id));
  const isJoined = (chatRun: ChatRun): boolean =>
    joined.some((turn) => turn.run?.run.id === chatRun.run.id) ||
    inputOf(chatRun).some(({ id }) => stored.has(id)) ||
    messages.some(({ id }) => id.startsWith(`${chatRun.run.id}-failed-`));
  for (const open of runs.all().filter((run) => run.isOwn && !isJoined(run))) {
    const isLater = ({ run }: ChatTurn): boolean => run?.isOwn === true && run.run.createdAt > open.run.createdAt;
    const found = turns.findIndex(isLater);
    if (found < 0 && !isNewest) continue;
    const at = found < 0 ? turns.length : found;
    turns.splice(at, 0, { run: open, user: inputOf(open), rest: [], from: turns[at]?.from ?? end });
  }
  return turns;
}

function inputOf({ events }: ChatRun): readonly UserMessage[] {
  const start = events.find((event) => event.type === "run.start");
  return start?.input ?? [];
}
