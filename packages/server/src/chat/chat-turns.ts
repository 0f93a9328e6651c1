import type { JournalEvent, Message, Owner, StoredRun, UserMessage } from "@bailiwick/core";
import { outerRuns } from "../runs/outer-runs.ts";
import type { ServedAgent, ServedStore } from "../runs/served-agent.ts";

/** A run of a chat with its records. */
export interface ChatRun {
  readonly run: StoredRun;
  readonly events: readonly JournalEvent[];
}

/** One turn of a chat: what the user wrote, and the run that answers it. */
export interface ChatTurn {
  /** The run; absent where the session has messages whose run is gone, or belongs to another user. */
  readonly run?: ChatRun | undefined;
  readonly user: readonly UserMessage[];
  /** The other messages of a turn without a run. */
  readonly rest: readonly Message[];
  /** How many messages of the session come before it. */
  readonly from: number;
}

/** A branch of a chat as it is stored. */
export interface ChatContent {
  readonly messages: readonly Message[];
  readonly turns: readonly ChatTurn[];
}

/** Parts of the server that read chats. */
export interface ChatSource {
  readonly agent: Pick<ServedAgent, "name" | "inspect" | "sessions">;
  readonly store: ServedStore;
}

/** Most runs of one branch that are read. */
const mostRuns = 1_000;

/** Journals that are read at once. */
const atOnce = 8;

interface Candidate extends ChatRun {
  readonly isOwn: boolean;
  readonly ids: ReadonlySet<string>;
  isUsed: boolean;
}

/**
 * Reads a branch: the session's messages in their order, each with the run that it belongs to, and the runs of the branch
 * that have not joined the session, such as one that waits for a person.
 *
 * @param source - The agent and its store.
 * @param line - The branch's session, then those that it was copied from.
 * @param owner - The user whose runs they are.
 */
export async function readTurns(source: ChatSource, line: readonly string[], owner: Owner): Promise<ChatContent> {
  const [sessionId = ""] = line;
  const candidates = (await Promise.all(line.map((id, index) => runsOf(source, id, owner, index === 0)))).flat();
  const messages = (await source.agent.sessions?.load(sessionId, owner))?.messages ?? [];
  const turns: ChatTurn[] = [];
  let current: { readonly ids: ReadonlySet<string>; readonly rest: Message[] } | undefined;
  for (const [from, message] of messages.entries()) {
    if (message.role === "system" || current?.ids.has(message.id) === true) continue;
    const all = candidates.filter(({ run, ids }) => ids.has(message.id) || message.id.startsWith(`${run.id}-failed-`));
    const next = all.find(({ isUsed }) => !isUsed);
    if (next !== undefined) {
      next.isUsed = true;
      current = { ids: next.ids, rest: [] };
      turns.push({ run: next, user: inputOf(next), rest: [], from });
    } else if (all.length === 0 && (message.role === "user" || current === undefined)) {
      const rest: Message[] = message.role === "user" ? [] : [message];
      current = { ids: new Set(), rest };
      turns.push({ user: message.role === "user" ? [message] : [], rest, from });
    } else if (all.length === 0) current?.rest.push(message);
  }
  for (const open of candidates.filter(({ isOwn, isUsed }) => isOwn && !isUsed)) {
    const isLater = ({ run }: ChatTurn): boolean =>
      run !== undefined && run.run.sessionId === sessionId && run.run.createdAt > open.run.createdAt;
    const found = turns.findIndex(isLater);
    const at = found < 0 ? turns.length : found;
    turns.splice(at, 0, { run: open, user: inputOf(open), rest: [], from: turns[at]?.from ?? messages.length });
  }
  return { messages, turns };
}

async function runsOf(source: ChatSource, sessionId: string, owner: Owner, isOwn: boolean): Promise<Candidate[]> {
  const { agent, store } = source;
  const { tenantId, userId } = owner;
  const listed = await outerRuns(store, { sessionId, agentId: agent.name, tenantId, userId }, mostRuns);
  const oldestFirst = listed.toReversed();
  const found: Candidate[] = [];
  for (let at = 0; at < oldestFirst.length; at += atOnce) {
    const some = oldestFirst.slice(at, at + atOnce);
    const reports = await Promise.all(some.map(async ({ id }) => agent.inspect(id)));
    found.push(...reports.map(({ run, events }) => ({ run, events, isOwn, ids: idsOf(events), isUsed: false })));
  }
  return found;
}

/** The ids of the messages that a run adds to its session. */
function idsOf(events: readonly JournalEvent[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const event of events) {
    if (event.type === "run.start") for (const { id } of event.input) ids.add(id);
    else if (event.type === "model.result" || event.type === "tool.result" || event.type === "message.inserted")
      ids.add(event.message.id);
  }
  return ids;
}

function inputOf({ events }: ChatRun): readonly UserMessage[] {
  const start = events.find((event) => event.type === "run.start");
  return start?.input ?? [];
}
