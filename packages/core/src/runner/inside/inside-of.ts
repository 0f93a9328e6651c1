import type { Runnable } from "../../contracts/runnable.ts";
import { namesOf } from "../../registry/resolve-name.ts";
import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import type { SecretsPort, SecurityPorts } from "../../contracts/ports/security.ts";
import type { InsideRequest } from "../caller/caller.ts";
import type { AgentOptions } from "../../contracts/run-options.ts";
import type { Tool } from "../../contracts/tool.ts";

/** The composition of a tool that runs something. */
export interface InsideOf {
  readonly kind: "agent" | "handoff" | "node";
  readonly agentName: string;
  /** The inner runs belong to this framework: their calls are gated there. */
  readonly gated: boolean;
  /** The tools inside, which policies may name. */
  readonly names: readonly string[];
}

/** Describes a tool that runs a runnable. */
export function insideOf(kind: InsideOf["kind"], runnable: Runnable): InsideOf {
  const runtime = runtimeOf(runnable);
  const tools = runtime?.definition.registry.known.list() ?? [];
  return {
    kind,
    agentName: runnable.name,
    gated: runtime !== undefined,
    names: namesOf(tools),
  };
}

/** Driver of a run inside a tool call. */
interface InsideRuntime {
  readonly ports: SecurityPorts;
  /** The agent's secrets, which a composition around it also removes. */
  readonly definition: {
    readonly secrets: SecretsPort | undefined;
    readonly registry: { readonly known: { list(): readonly ResolvedTool[] } };
  };
  /** Runs inside a tool call of another run, or continues with the run that this call began before. */
  runInside(request: InsideRequest): Promise<RunOutput>;
}

const runtimeKey: unique symbol = Symbol.for("bailiwick.runtime");

/**
 * Attaches a runtime to an object such as an `Agent`, where compositions find it.
 *
 * @param face - The object that users hold.
 * @param runtime - The functions that start and continue inner runs.
 */
export function exposeRuntime(face: object, runtime: InsideRuntime): void {
  Object.defineProperty(face, runtimeKey, { value: runtime });
}

/** Runtime of a runnable; `undefined` if this framework did not make it. */
export function runtimeOf(runnable: Runnable): InsideRuntime | undefined {
  return (runnable as { readonly [runtimeKey]?: InsideRuntime })[runtimeKey];
}

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
