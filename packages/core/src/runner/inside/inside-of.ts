import type { Runnable, RunnableOptions } from "../../contracts/runnable.ts";
import { namesOf } from "../../registry/resolve-name.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import type { SecurityPorts } from "../../contracts/ports/security.ts";
import { callerOf, type InsideRequest } from "../caller/caller.ts";
import type { Agent, AgentInside } from "../run.ts";
import type { AgentOptions, RunInput } from "../../contracts/run-options.ts";
import type { Tool } from "../../contracts/tool.ts";
import { isWaiting } from "../../contracts/stop-reason.ts";
import type { ToolExecutionContext } from "../../contracts/tool-context.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import { ToolError } from "../../errors/tool-error.ts";

/** The composition of a tool that runs something. */
export interface InsideOf extends AgentInside {
  /** `agent`: an agent as a tool. `handoff`: it takes the conversation over. `node`: a node of a composition. */
  readonly kind: "agent" | "handoff" | "node";
  /** The inner runs belong to this framework: their calls are gated there. */
  readonly gated: boolean;
  /** The tools inside, which policies may name. */
  readonly names: readonly string[];
}

/**
 * The composition of a tool that runs an agent or a composition.
 *
 * @param kind - How the tool runs it.
 * @param runnable - The agent or composition.
 */
export function insideOf(kind: InsideOf["kind"], runnable: Runnable): InsideOf {
  const agent = runtimeOf(runnable)?.definition;
  const names = namesOf(agent?.registry.known.list() ?? []);
  return { kind, names, agent: () => agent, gated: agent !== undefined };
}

/** Driver of a run inside a tool call. */
interface InsideRuntime {
  readonly ports: SecurityPorts;
  /** Its secrets are also removed by a composition around it; its tools check decisions about their calls. */
  readonly definition: Agent;
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

/**
 * Runtime of a runnable; `undefined` if this framework did not make it.
 *
 * @param runnable - The runnable.
 */
export function runtimeOf(runnable: Runnable): InsideRuntime | undefined {
  return (runnable as { readonly [runtimeKey]?: InsideRuntime })[runtimeKey];
}

/** The agent that a tool is given to. */
export interface ToolHost {
  /** Options of the agent. */
  readonly options: AgentOptions;
  /** Security parts of the agent. */
  readonly ports: SecurityPorts;
}

/** The composition of a tool that is made for the agent that it is given to. */
interface BoundComposition {
  readonly bind: (host: ToolHost) => Tool;
}

export function boundTool(tool: Tool, host: ToolHost): Tool {
  return (tool.composition as Partial<BoundComposition> | undefined)?.bind?.(host) ?? tool;
}

/**
 * Runs a runnable inside a tool call. A runnable of this framework is found again after a crash and can wait for a
 * person; any other has to end immediately.
 *
 * @param runnable - The agent or composition.
 * @param input - Its input.
 * @param ctx - Context of the tool call.
 * @param extra - Options of the inner run, besides those of the context. Default: none.
 * @throws ToolError if a foreign runnable is suspended.
 */
export async function runNode(
  runnable: Runnable,
  input: RunInput,
  ctx: Pick<ToolExecutionContext, "runOptions">,
  extra: RunnableOptions = {},
): Promise<RunOutput> {
  const options: RunnableOptions = { ...ctx.runOptions, ...extra };
  const caller = callerOf(options.parent);
  const runtime = runtimeOf(runnable);
  if (runtime !== undefined && caller !== undefined) return runtime.runInside({ caller, input, options });
  const output = await runnable.run(input, options);
  if (!isWaiting(output.status)) return output;
  throw new ToolError(
    `"${runnable.name}" waits for a person, but only agents and compositions of Bailiwick can be resumed inside a tool call. Use onApprovalRequired or an Agent.`,
    { recoverable: false },
  );
}

/**
 * An agent's answer for its caller.
 *
 * @param output - Output of the run.
 * @throws ToolError if it stopped early.
 */
export function answerOf(output: RunOutput): unknown {
  if (output.status === "completed") return output.structured ?? output.text;
  const { agentName, stopReason, runId, warnings } = output;
  const said = output.text === "" ? "" : ` What it said until then: ${output.text}`;
  const failed = warnings.findLast(({ code }) => code === "hook_failed");
  const why = failed ? ` ${failed.message}.` : "";
  const stopped = `Agent "${agentName}" stopped before it was done (${stopReason}).${why}`;
  if (stopReason !== "unattended") throw new ToolError(stopped + said);
  // Names the grant that is missing inside.
  const refused = output.toolCalls.find(({ error }) => error?.code === "UNATTENDED")?.error?.message ?? "";
  throw new BailiwickError("UNATTENDED", `${stopped} ${refused}${said}`, { runId });
}
