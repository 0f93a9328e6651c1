import type { Ledger, MemoryStore, Outbox, RunStore, SessionStore } from "@bailiwick/core/store";
import {
  ledgerOf,
  memoriesOf,
  outboxOf,
  runsOf,
  sessionsOf,
  type DatabaseLink,
} from "@bailiwick/store-sqlite/portable";

/** A run store with its ledger, sessions and memories, in one Durable Object. */
export interface DurableObjectStore extends RunStore {
  readonly ledger: Ledger;
  readonly sessions: SessionStore;
  readonly outbox: Outbox;
  /** The store of `memory({ store })` of `@bailiwick/memory`. */
  readonly memories: MemoryStore;
}

/** A store whose calls are sent over a link. */
export function storeOf(link: DatabaseLink): DurableObjectStore {
  return {
    ...runsOf(link),
    name: link.name,
    durable: true,
    ledger: ledgerOf(link),
    sessions: sessionsOf(link),
    memories: memoriesOf(link),
    outbox: outboxOf(link),
  };
}
