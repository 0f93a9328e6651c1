import type { JournalEvent, Lease, Message, RunRecord, RunStore } from "@bailiwick/core";

/** What a run is created with. */
export const record = (id: string): RunRecord => ({
  id,
  agentId: "a",
  definitionHash: "d",
  sessionId: "s",
  input: "hi",
});

/** A record that changes no state, in its place. */
export const note = (runId: string, seq: number, text: string = "text"): JournalEvent => ({
  type: "hook.failed",
  seq,
  at: 1,
  key: `hook.failed#${seq}`,
  label: "system",
  runId,
  hook: text,
  error: { name: "E", code: "E", message: "" },
});

export const message = (id: string, content: string = id): Message => ({ id, role: "user", content });

/** A new run, held. */
export async function heldRun(store: RunStore, id: string): Promise<Lease> {
  const { lease } = await store.create(record(id), { owner: "o", ttlMs: 60_000 });
  if (lease === undefined) throw new Error("The run was not given to its creator.");
  return lease;
}
