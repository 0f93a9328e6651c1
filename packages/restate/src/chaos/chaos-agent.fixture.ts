import { appendFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { createAgentRuntime, tool, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { z } from "zod";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * An agent that writes one line per run, without a key, so that a silent repetition is visible. Every third run sleeps
 * first. Each model call writes a line next to the effects: the run, the process, the time, and the number of results.
 */
export function chaosAgent(store: RunStore, effects: string): AgentRuntime {
  const write = tool({
    name: "write",
    description: "Writes a line.",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "external-stateful",
    async execute({ line }) {
      await wait(40);
      appendFileSync(effects, `${line}\n`);
      await wait(40);
      return "written";
    },
  });
  const rest = tool({
    name: "rest",
    description: "Rests.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    async execute(_input, context) {
      await context.sleep({ ms: 1_500 });
      return "rested";
    },
  });
  const model = scriptedModel(({ messages, lastUserText }) => {
    const results = messages.filter(({ role }) => role === "tool").length;
    appendFileSync(`${effects}.steps`, `${lastUserText} ${process.pid} ${Date.now()} ${results}\n`);
    const sleeps = Number(lastUserText?.split("-").at(-1)) % 3 === 0;
    if (results === 0 && sleeps) return { toolCalls: [{ name: "rest", arguments: {} }] };
    if (results === (sleeps ? 1 : 0)) return { toolCalls: [{ name: "write", arguments: { line: lastUserText } }] };
    return "Done.";
  });
  return createAgentRuntime({ name: "writer", model, tools: [write, rest], store, logger: quiet, flow: "off" });
}
