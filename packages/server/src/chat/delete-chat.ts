import type { Owner, StoredRun } from "@bailiwick/core";
import type { ServedAgent, ServedStore } from "../runs/served-agent.ts";
import { outerRuns } from "../runs/outer-runs.ts";
import { branchesOf, branchRoot, changeRecord, readRecord, type ChatPlace } from "./chat-record.ts";

/** Number of runs that are deleted at once. */
const runsAtOnce = 1_000;

/**
 * Deletes a chat with its branches and runs. The id of a branch deletes only that branch, and the chat shows the branch
 * that it was copied from.
 *
 * @param agent - Cancels its runs that are at work. Runs of other agents lose their lease.
 * @param store - The agent's store.
 * @param place - The chat, or a branch.
 */
export async function deleteChat(
  agent: Pick<ServedAgent, "name" | "cancel">,
  store: ServedStore,
  place: ChatPlace,
): Promise<void> {
  await leaveChat(place);
  for (const { id } of branchesOf(await readRecord(place)).toReversed()) {
    await cancelRuns(agent, store, id, place.owner);
    await place.sessions.delete(id, place.owner);
    await deleteRuns(store, id, place.owner);
  }
}

/** Removes a branch from the record of its chat; its copies become copies of its parent. */
async function leaveChat(place: ChatPlace): Promise<void> {
  const root = branchRoot(place.chatId);
  if (root === undefined) return;
  const chat = { ...place, chatId: root };
  const isBranch = (await readRecord(chat)).branches.some(({ id }) => id === place.chatId);
  if (!isBranch) return;
  await changeRecord(chat, (record) => {
    const parent = record.branches.find(({ id }) => id === place.chatId)?.parent ?? root;
    const rest = record.branches.filter(({ id }) => id !== place.chatId);
    return {
      ...record,
      active: record.active === place.chatId ? parent : record.active,
      branches: rest.map((branch) => (branch.parent === place.chatId ? { ...branch, parent } : branch)),
    };
  });
}

/** Cancels the runs of the agent that are at work. */
async function cancelRuns(
  agent: Pick<ServedAgent, "name" | "cancel">,
  store: ServedStore,
  sessionId: string,
  owner: Owner,
): Promise<void> {
  const runs = await outerRuns(store, { sessionId, ...owner, state: ["running", "queued"] }, runsAtOnce);
  for (const run of runs) if (run.agentId === agent.name) await agent.cancel(run.id, "its chat was deleted");
}

/** Deletes the runs of a session that another store keeps, also those of other agents: they hold the user's words too. */
async function deleteRuns(store: ServedStore, sessionId: string, owner: Owner): Promise<void> {
  for (;;) {
    const runs = await outerRuns(store, { sessionId, ...owner }, runsAtOnce);
    for (const run of runs) await store.deleteRun(run.id);
    if (runs.length < runsAtOnce) return;
  }
}

/** True if a run is active. */
export function isDriven({ state }: StoredRun): boolean {
  return state === "running" || state === "queued";
}
