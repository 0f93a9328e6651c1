import type { AgentRuntime } from "./agent-runtime.ts";
import { runtimeOf } from "./inside/inside-of.ts";

/**
 * Finds the runtime of an agent, for packages that drive its runs, such as workers.
 *
 * @param agent - An `Agent`, a composition, or a runtime itself.
 * @returns `undefined` for anything else.
 * @example
 * ```ts
 * import type { AgentRuntime } from "@bailiwick/core";
 * import { agentRuntimeOf } from "@bailiwick/core/extension";
 *
 * export const leaseOf = (agent: AgentRuntime): number | undefined => agentRuntimeOf(agent)?.leaseMs;
 * ```
 */
export function agentRuntimeOf(agent: object): AgentRuntime | undefined {
  return [agent, runtimeOf(agent as Parameters<typeof runtimeOf>[0])].find(isAgentRuntime);
}

function isAgentRuntime(given: unknown): given is AgentRuntime {
  return typeof given === "object" && given !== null && "driveClaimed" in given;
}
