import { checkArgument, checkKnownNames } from "@bailiwick/core";
import { attemptOn } from "./attempt.ts";
import type { WorkflowHost } from "./compose.ts";
import { loopOn } from "./loop.ts";
import { mapOn } from "./map.ts";
import { parallelOn } from "./parallel.ts";
import { pipelineOn } from "./pipeline.ts";
import { routeOn } from "./route.ts";
import type { Attempt, Loop, MapItems, Parallel, Pipeline, Route } from "./signatures.ts";

/** The functions that make workflows. */
export interface Workflows {
  /** Runs nodes one after the other. */
  readonly pipeline: Pipeline;
  /** Runs all branches at once, on the same value. */
  readonly parallel: Parallel;
  /** Runs one node for each item. */
  readonly map: MapItems;
  /** Runs the branch that a function or an agent names. */
  readonly route: Route;
  /** Runs a node again and again until a condition holds. */
  readonly loop: Loop;
  /** Tries a node, and runs another one if it fails. */
  readonly attempt: Attempt;
}

/**
 * Makes the functions of workflows, bound to the parts that enforce authority: the calls of tools in a workflow pass them
 * as in an agent. `@bailiwick/agent/compose` has them with the safe defaults.
 *
 * @param host - Makes the security ports and the platform's parts of each workflow.
 * @throws ConfigurationError `INVALID_OPTION`, `UNKNOWN_OPTION` for a wrong `host`.
 * @example
 * ```ts
 * import { workflows } from "@bailiwick/compose";
 * import { security } from "@bailiwick/security";
 *
 * const { pipeline } = workflows({ ports: () => security(), platform: () => ({}) });
 * export const shout = pipeline({ name: "shout" }, (text) => text.toUpperCase());
 * ```
 */
export function workflows(host: WorkflowHost): Workflows {
  checkKnownNames(host ?? null, ["ports", "platform"], "workflows()");
  checkArgument(host.ports, "function", "workflows({ ports, platform })");
  checkArgument(host.platform, "function", "workflows({ ports, platform })");
  return {
    pipeline: pipelineOn(host) as Pipeline,
    parallel: parallelOn(host) as Parallel,
    map: mapOn(host) as MapItems,
    route: routeOn(host) as Route,
    loop: loopOn(host) as Loop,
    attempt: attemptOn(host) as Attempt,
  };
}
