import { createAgentRuntime, type Tool } from "@bailiwick/core";
import { agentRuntimeOf } from "@bailiwick/core/extension";
import { exchange } from "../world/exchange.ts";
import type { App, SimulatedAgent } from "../options.ts";
import type { AppMaker } from "../play/play.ts";

/**
 * Makes `execute` of each tool that writes a choice point, and counts its calls as effects: for applications whose
 * simulation has no receivers.
 */
export const countedTools: AppMaker = (app, stage) => ({
  ...app,
  agents: app.agents.map((entry: App["agents"][number]) => {
    const agent = "agent" in entry ? entry.agent : entry;
    const runtime = agentRuntimeOf(agent);
    const { options } = runtime?.definition ?? {};
    // Tools that a function returns for each run are not known yet.
    if (runtime === undefined || !Array.isArray(options?.tools)) return entry;
    const tools = (options.tools as readonly Tool[]).map((one) => (isWriter(one) ? counted(one, stage) : one));
    const made: SimulatedAgent = createAgentRuntime({ ...options, tools }, runtime.ports);
    return "agent" in entry ? { ...entry, agent: made } : made;
  }),
});

function isWriter({ sideEffectClass, execute }: Tool): boolean {
  return typeof execute === "function" && sideEffectClass !== "read-only" && sideEffectClass !== "pure";
}

function counted(tool: Tool, { world, process, requests, openCalls, network }: Parameters<AppMaker>[1]): Tool {
  const { execute } = tool;
  if (typeof execute !== "function") return tool;
  const kinds = ["die", "dieAfter", "pauseAfter"] as const;
  return {
    ...tool,
    execute: (input, ctx) => {
      const component = world.component("tools", { isOrdered: false, kinds });
      component.side.network ??= network;
      const id = JSON.stringify(input);
      const key = tool.idempotencyKey === undefined ? undefined : ctx.idempotencyKey;
      const calls = openCalls(process.name).filter(({ toolName }) => toolName === tool.name);
      return exchange(world, process, component, {
        operation: tool.name,
        work: async () => {
          const made = requests.filter((one) => one.name === tool.name && !one.isRepetition);
          const known = key === undefined ? undefined : made.find((one) => one.key === key);
          const effect = { name: tool.name, id, number: known?.number ?? made.length + 1 };
          requests.push({
            ...effect,
            ...(key !== undefined && { key }),
            at: world.time,
            process: process.name,
            isRepetition: known !== undefined,
            calls,
          });
          world.tell(process.name, `executes ${tool.name}.`);
          return execute(input, ctx);
        },
        refuse: (reason) => new Error(`The tool could not be reached: ${reason}.`),
        story: () => `executes ${tool.name}`,
      });
    },
  };
}
