import type { JournalEvent, Owner, StoredRun } from "@bailiwick/core";
import { outerRuns } from "../runs/outer-runs.ts";
import type { ChatSource } from "./chat-source.ts";

/** A run of a chat with its records. */
export interface ChatRun {
  readonly run: StoredRun;
  readonly events: readonly JournalEvent[];
  /** True for a run of the branch's own session; false for one of a session that the branch was copied from. */
  readonly isOwn: boolean;
  /** The ids of the messages that the run adds to its session. */
  readonly ids: ReadonlySet<string>;
}

/** The runs of a branch, newest first, with journals that are read on demand. */
export interface RunSource {
  /** Runs whose journals were read: those of the branch's own session first, each session's oldest first. */
  all(): readonly ChatRun[];
  /** Reads journals until the run of a message is found; `undefined` after all were read. */
  find(messageId: string): Promise<ChatRun | undefined>;
  /** Reads the journals of all runs that were created at a time or later. */
  readTo(time: number): Promise<void>;
}

/** Number of runs of a session that are listed at once, and of journals that are read at once. */
const listedAtOnce = 50;
const readAtOnce = 8;

/**
 * Makes the source of a branch's runs.
 *
 * @param source - The agent and its store.
 * @param line - The branch's session, then those that it was copied from.
 * @param owner - The user whose runs they are.
 * @param newest - Runs that were created later are left out; default: none.
 */
export function createRunSource(
  { agent, store }: ChatSource,
  line: readonly string[],
  { tenantId, userId }: Owner,
  newest: number = Infinity,
): RunSource {
  const sessions = line.map((sessionId, index) => ({
    filter: { sessionId, agentId: agent.name, tenantId, userId },
    isOwn: index === 0,
    found: [] as ChatRun[],
    /** All runs that were created later were read. */
    time: newest + 1,
    isEmpty: false,
  }));
  const byMessage = new Map<string, ChatRun>();

  const read = async (session: (typeof sessions)[number]): Promise<void> => {
    const known = new Set(session.found.map(({ run }) => run.id));
    // Runs of the same millisecond may be on both sides of the limit: they are listed again, all of them.
    const listed = await listAll(session.time);
    const last = listed.at(-1);
    session.isEmpty = last === undefined;
    if (last === undefined) return;
    session.time = last.createdAt;
    const further = listed.filter(({ id }) => !known.has(id));
    const runs: ChatRun[] = [];
    for (let at = 0; at < further.length; at += readAtOnce) {
      const some = further.slice(at, at + readAtOnce);
      const reports = await Promise.all(some.map(async ({ id }) => agent.inspect(id)));
      runs.push(...reports.map(({ run, events }) => ({ run, events, isOwn: session.isOwn, ids: idsOf(events) })));
    }
    for (const run of runs) {
      byMessage.set(run.run.id, run);
      for (const id of run.ids) if (!byMessage.has(id)) byMessage.set(id, run);
    }
    session.found.unshift(...runs.toReversed());

    async function listAll(before: number): Promise<readonly StoredRun[]> {
      for (let limit = listedAtOnce; ; limit *= 4) {
        const page = await outerRuns(store, { ...session.filter, ...(Number.isFinite(before) && { before }) }, limit);
        const end = page.at(-1)?.createdAt;
        if (page.length < limit) return page;
        const whole = page.filter(({ createdAt }) => createdAt !== end);
        if (whole.length > 0) return whole;
      }
    }
  };
  const readMore = async (): Promise<boolean> => {
    const left = sessions.filter(({ isEmpty }) => !isEmpty);
    // The next session is the one whose messages have been read the least far back.
    const next = left.toSorted((one, other) => other.time - one.time)[0];
    if (next !== undefined) await read(next);
    return next !== undefined;
  };
  const known = (messageId: string): ChatRun | undefined =>
    byMessage.get(messageId) ?? byMessage.get(/^(.+)-failed-/u.exec(messageId)?.[1] ?? "");
  return {
    all: () => sessions.flatMap(({ found }) => found),
    async find(messageId) {
      while (known(messageId) === undefined && (await readMore()));
      return known(messageId);
    },
    async readTo(time) {
      while (sessions.some((session) => !session.isEmpty && session.time > time) && (await readMore()));
    },
  };
}

function idsOf(events: readonly JournalEvent[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const event of events) {
    if (event.type === "run.start") for (const { id } of event.input) ids.add(id);
    else if (event.type === "model.result" || event.type === "tool.result" || event.type === "message.inserted")
      ids.add(event.message.id);
  }
  return ids;
}
