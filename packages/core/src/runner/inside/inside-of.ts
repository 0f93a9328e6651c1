import type { Runnable } from "../../contracts/runnable.ts";
import { namesOf } from "../../registry/resolve-name.ts";
import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import type { SecretsPort, SecurityPorts } from "../../contracts/ports/security.ts";
import type { InsideRequest } from "./inside-request.ts";

/** The composition of a tool that runs something. */
export interface InsideOf {
  readonly kind: "agent" | "handoff" | "node";
  readonly agentName: string;
  /** The runs inside are of this framework: their calls are gated there. */
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

/** Lets compositions find what drives a runnable. Called by faces of a runtime, such as `Agent`. */
export function exposeRuntime(face: object, runtime: InsideRuntime): void {
  Object.defineProperty(face, runtimeKey, { value: runtime });
}

/** Runtime of a runnable; `undefined` if this framework did not make it. */
export function runtimeOf(runnable: Runnable): InsideRuntime | undefined {
  return (runnable as { readonly [runtimeKey]?: InsideRuntime })[runtimeKey];
}
