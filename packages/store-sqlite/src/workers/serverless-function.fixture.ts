// One call of a serverless function: drives what is due, hands over within its time, and ends:
// `serverless-function.fixture.ts <runs> <effects>`.
import { appendFileSync } from "node:fs";
import { createAgentRuntime, tool, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { driveDue } from "@bailiwick/worker";
import { z } from "zod";
import { sqliteStore } from "../sqlite-store.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
/** Steps of a run, and how long each takes, in milliseconds. */
export const steps = 8;
const stepMs = 200;

/** An agent whose run writes one line in each of its steps. An effect has no key, so a repetition would show. */
export function longAgent(store: RunStore, effects: string): AgentRuntime {
  const write = tool({
    name: "write",
    description: "Writes a line.",
    inputSchema: z.object({ line: z.number() }),
    sideEffectClass: "external-stateful",
    async execute({ line }) {
      appendFileSync(effects, `${line}\n`);
      await new Promise((resolve) => setTimeout(resolve, stepMs));
      return "written";
    },
  });
  const model = scriptedModel(({ messages }) => {
    const done = messages.filter(({ role }) => role === "tool").length;
    return done === steps ? "Done." : { toolCalls: [{ name: "write", arguments: { line: done } }] };
  });
  return createAgentRuntime({ name: "long", model, tools: [write], store, logger: quiet, flow: "off" });
}

const [path, effects] = process.argv.slice(2);
if (path !== undefined && effects !== undefined && process.argv[1]?.includes("serverless-function.fixture") === true) {
  const store = sqliteStore({ path });
  await driveDue({
    agents: [longAgent(store, effects)],
    store,
    withinMs: 2 * stepMs,
    drainMs: 20_000,
    logger: quiet,
  });
  await store.close();
}
