import type { Agent } from "@bailiwick/agent";
import { openai } from "@bailiwick/providers-openai";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { createDesk } from "./agent.ts";

/** Runs and chats are stored here. */
export const store = sqliteStore({ path: "./runs.db" });

export const desk: Agent = createDesk(openai("gpt-5.5"), { store, session: store.sessions });
