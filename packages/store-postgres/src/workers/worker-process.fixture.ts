import { appendFileSync } from "node:fs";
import { createAgentRuntime, tool, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { worker } from "@bailiwick/worker";
import { z } from "zod";
import { postgresStore } from "../postgres-store.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** An agent that writes two lines per run, each with its process. Its effects have no key. */
export function pairAgent(store: RunStore, effects: string, leaseMs: number): AgentRuntime {
  const write = tool({
    name: "write",
    description: "Writes a line.",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "external-stateful",
    async execute({ line }) {
      appendFileSync(effects, `${line} ${process.pid}\n`);
      await new Promise((resolve) => setTimeout(resolve, 120));
      return "written";
    },
  });
  const model = scriptedModel(({ messages, lastUserText }) => {
    const written = messages.filter(({ role }) => role === "tool").length;
    return written === 2
      ? "Done."
      : { toolCalls: [{ name: "write", arguments: { line: `${lastUserText}:${written + 1}` } }] };
  });
  return createAgentRuntime({ name: "writer", model, tools: [write], store, leaseMs, logger: quiet });
}

const [url, schema, effects, leaseMs] = process.argv.slice(2);
if (process.argv[1]?.includes("worker-process.fixture") === true && url !== undefined && effects !== undefined) {
  const store = postgresStore({ url, schema });
  const agents = [pairAgent(store, effects, Number(leaseMs))];
  worker({ agents, store, concurrency: 3, logger: quiet, pollMs: 60_000, maxAttempts: 50 });
}
