import type { Agent } from "@bailiwick/agent";
import { openai } from "@bailiwick/providers-openai";
import { sqliteStore, type SqliteStore } from "@bailiwick/store-sqlite";
import { createDesk } from "./agent.ts";

// One store for the process: Next loads this module again when it changes.
const kept = globalThis as { store?: SqliteStore };

/** Opens the store where runs and chats are kept, and makes the agent. A build opens no store. */
export function openDesk(): { readonly agent: Agent; readonly store: SqliteStore } {
  const store = (kept.store ??= sqliteStore({ path: "./runs.db" }));
  return { agent: createDesk(openai("gpt-5.5"), { store, session: store.sessions }), store };
}
