import { appendFileSync, existsSync } from "node:fs";
import { createAgentRuntime, tool, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { sqliteStore } from "../sqlite-store.ts";
import { scriptedModel } from "@bailiwick/testing";
import { z } from "zod";
import { worker } from "@bailiwick/worker";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Number of runs that one worker process drives at once. */
export const concurrency = 3;

/**
 * An agent whose tool writes one line for each run. Its effect has no key, so a repetition would be visible.
 *
 * @param held - File: while it exists, a call stays inside its execution after it has written.
 */
export function writingAgent(store: RunStore, effects: string, held: string = ""): AgentRuntime {
  const write = tool({
    name: "write",
    description: "Writes a line.",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "external-stateful",
    async execute({ line }) {
      appendFileSync(effects, `${line} ${process.pid}\n`);
      do await new Promise((resolve) => setTimeout(resolve, 30));
      while (existsSync(held));
      return "written";
    },
  });
  const model = scriptedModel(({ messages, lastUserText }) =>
    messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ name: "write", arguments: { line: lastUserText } }] },
  );
  return createAgentRuntime({ name: "writer", model, tools: [write], store, leaseMs: 1_000, logger: quiet });
}

const [path, effects, held] = process.argv.slice(2);
if (path !== undefined && effects !== undefined && process.argv[1]?.includes("killed-worker.fixture") === true) {
  const store = sqliteStore({ path });
  worker({
    agents: [writingAgent(store, effects, held)],
    store,
    concurrency,
    logger: quiet,
    pollMs: 100,
    maxAttempts: 50,
  });
}
