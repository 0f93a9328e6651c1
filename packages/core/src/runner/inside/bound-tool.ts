import type { SecurityPorts } from "../../contracts/ports/security.ts";
import type { AgentOptions } from "../../contracts/run-options.ts";
import type { Tool } from "../../contracts/tool.ts";

/** The agent that a tool is given to. */
export interface ToolHost {
  readonly options: AgentOptions;
  readonly ports: SecurityPorts;
}

/** The composition of a tool that is made for the agent that it is given to. */
interface BoundComposition {
  readonly bind: (host: ToolHost) => Tool;
}

/** The tool as bound to this agent. */
export function boundTool(tool: Tool, host: ToolHost): Tool {
  const { bind } = (tool.composition ?? {}) as Partial<BoundComposition>;
  return typeof bind === "function" ? bind(host) : tool;
}
