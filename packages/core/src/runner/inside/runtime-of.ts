import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import type { Runnable } from "../../contracts/runnable.ts";
import type { SecretsPort, SecurityPorts } from "../../contracts/ports/security.ts";
import type { InsideRequest } from "./inside-request.ts";

/** What a run inside a tool call is driven by. */
export interface InsideRuntime {
  readonly ports: SecurityPorts;
  /** Of the agent: what it scrubs, a composition around it scrubs too. */
  readonly definition: {
    readonly secrets: SecretsPort | undefined;
    readonly registry: { readonly known: { list(): readonly ResolvedTool[] } };
  };
  /** Runs inside a tool call of another run, or goes on with the run that this call began before. */
  runInside(request: InsideRequest): Promise<RunOutput>;
}

const runtimeKey: unique symbol = Symbol.for("bailiwick.runtime");

/** Lets compositions find what drives a runnable. Called by faces of a runtime, such as `Agent`. */
export function exposeRuntime(face: object, runtime: InsideRuntime): void {
  Object.defineProperty(face, runtimeKey, { value: runtime });
}

/** What drives a runnable; `undefined` for one that is not made by this framework. */
export function runtimeOf(runnable: Runnable): InsideRuntime | undefined {
  return (runnable as { readonly [runtimeKey]?: InsideRuntime })[runtimeKey];
}
