import type { Message, Owner } from "@bailiwick/core";
import { branchesOf, lineage, type ChatRecord } from "../chat/chat-record.ts";
import type { ChatSource } from "../chat/chat-source.ts";
import { readTurns, type ChatTurn } from "../chat/chat-turns.ts";

/** A branch with its messages and turns, oldest first. */
export interface ReadBranch {
  /** The session of the branch. */
  readonly id: string;
  readonly messages: readonly Message[];
  readonly turns: readonly ChatTurn[];
  /** False if `turns` has the newest turns only. */
  readonly isWhole: boolean;
}

/** Number of turns of a branch that are read before all of its journals are. */
const recentTurns = 50;

/**
 * The branches of a chat, the active one first, then the newest. A long branch comes twice: its newest turns, then all
 * of them. Each is read when it is reached, and once.
 *
 * @param source - The agent and its store.
 * @param owner - The user whose chat it is.
 * @param record - The chat.
 */
export function branchReader(source: ChatSource, owner: Owner, record: ChatRecord): AsyncIterable<ReadBranch> {
  const others = branchesOf(record).filter(({ id }) => id !== record.active);
  const order = [record.active, ...others.map(({ id }) => id).toReversed()];
  const read = new Map<string, Promise<ReadBranch>>();
  const reading = async (id: string, limit: number | undefined): Promise<ReadBranch> => {
    const page = limit === undefined ? undefined : { limit };
    const { messages, turns, older } = await readTurns(source, lineage(record, id), owner, page);
    return { id, messages, turns, isWhole: older === undefined };
  };
  const branchOf = async (id: string, limit?: number): Promise<ReadBranch> => {
    const key = `${id} ${limit ?? ""}`;
    const branch = read.get(key) ?? reading(id, limit);
    read.set(key, branch);
    return branch;
  };
  return {
    async *[Symbol.asyncIterator]() {
      for (const id of order) {
        const recent = await branchOf(id, recentTurns);
        yield recent;
        if (!recent.isWhole) yield await branchOf(id);
      }
    },
  };
}

/** True if a message of the page belongs to a turn: the user's, one that was inserted, or the answer. */
export function hasMessage(turn: ChatTurn | undefined, id: string | undefined): boolean {
  if (turn === undefined || id === undefined) return false;
  const { run, user, rest } = turn;
  return (
    run?.run.id === id || run?.ids.has(id) === true || rest[0]?.id === id || user.some((message) => message.id === id)
  );
}
