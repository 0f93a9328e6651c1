import type { Lease, Message, RunStore } from "@bailiwick/core";
import { record } from "../../store-sqlite/src/records.fixture.ts";

export { note, record } from "../../store-sqlite/src/records.fixture.ts";

export const message = (id: string, content: string = id): Message => ({ id, role: "user", content });

/** A new run, with a lease. */
export async function heldRun(store: RunStore, id: string): Promise<Lease> {
  const { lease } = await store.create(record(id), { owner: "o", ttlMs: 60_000 });
  if (lease === undefined) throw new Error("The run was not given to its creator.");
  return lease;
}
