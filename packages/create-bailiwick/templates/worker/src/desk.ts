import type { Agent } from "@bailiwick/agent";
import { openai } from "@bailiwick/providers-openai";
import { createDesk } from "./agent.ts";
import { store } from "./store.ts";

export const desk: Agent = createDesk(openai("gpt-5.5"), { store, session: store.sessions });
