import type { ServedAgent, ServedStore } from "../runs/served-agent.ts";

/** Parts of the server that read chats. */
export interface ChatSource {
  readonly agent: Pick<ServedAgent, "name" | "inspect" | "sessions">;
  readonly store: ServedStore;
}
