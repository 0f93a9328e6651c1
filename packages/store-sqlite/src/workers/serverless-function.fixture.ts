// One call of a serverless function: drives the due runs, hands over within its time, and ends:
// `serverless-function.fixture.ts <runs> <effects>`.
import { appendFileSync } from "node:fs";
import { createAgentRuntime, tool, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { driveDue } from "@bailiwick/worker";
import { z } from "zod";
import { sqliteStore } from "../sqlite-store.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
/** Number of lines that a run writes, one in each turn. */
export const lineCount = 2;

/** An agent whose run writes one line in each turn. An effect has no key, so a repetition would be visible. */
export function longAgent(store: RunStore, effects: string): AgentRuntime {
  const write = tool({
    name: "write",
    description: "Writes a line.",
    inputSchema: z.object({ line: z.number() }),
    sideEffectClass: "external-stateful",
    execute({ line }) {
      appendFileSync(effects, `${line}\n`);
      return "written";
    },
  });
  const model = scriptedModel(({ messages }) => {
    const line = messages.filter(({ role }) => role === "tool").length;
    return line === lineCount ? "Done." : { toolCalls: [{ name: "write", arguments: { line } }] };
  });
  return createAgentRuntime({ name: "long", model, tools: [write], store, logger: quiet, flow: "off" });
}

const [program = "", path, effects] = process.argv.slice(1);
if (program.includes("serverless-function.fixture") && path !== undefined && effects !== undefined) {
  const store = sqliteStore({ path });
  // The time is over as soon as a run was claimed: the shortest possible call.
  await driveDue({ agents: [longAgent(store, effects)], store, withinMs: 1, drainMs: 60_000, logger: quiet });
  await store.close();
}
