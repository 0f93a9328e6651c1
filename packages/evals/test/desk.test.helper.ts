import { tool, type AgentOptions, type RunStore, type Tool } from "@bailiwick/core";
import { Agent } from "@bailiwick/agent";
import { scriptedModel, type Script, type ScriptedModel } from "@bailiwick/testing";
import { z } from "zod";

export const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Effects that were not faked: every test expects none. */
export const real: string[] = [];

export const refund: Tool = tool({
  name: "refund",
  description: "Refunds an order.",
  inputSchema: z.object({ id: z.string(), amount: z.number().default(5) }),
  sideEffectClass: "external-stateful",
  idempotencyKey: "call",
  execute: ({ id }) => {
    real.push(id);
    return { id };
  },
}) as Tool;

export const findOrder: Tool = tool({
  name: "find_order",
  description: "Finds an order.",
  inputSchema: z.object({ id: z.string() }),
  sideEffectClass: "read-only",
  execute: ({ id }) => ({ id, total: 5 }),
}) as Tool;

/** A model that refunds the order that the user names, or looks it up. */
export const deskScript: Script = ({ toolResults, lastUserText }) => {
  const id = /\d+/u.exec(lastUserText)?.[0] ?? "0";
  if (toolResults.length > 0) return `Order ${id} is done.`;
  return { toolCalls: [{ name: lastUserText.startsWith("Refund") ? "refund" : "find_order", arguments: { id } }] };
};

/** A desk on a store, with its model. */
export function desk(
  store?: RunStore,
  options: Partial<AgentOptions> = {},
  model: ScriptedModel = scriptedModel(deskScript),
): Agent {
  const all: AgentOptions = {
    name: "desk",
    logger: quiet,
    flow: "off",
    model,
    tools: [refund, findOrder],
    ...(store && { store }),
    ...options,
  };
  return new Agent(all);
}
