import type { Runnable } from "@bailiwick/core";
import { checkCompositionOptions, compose, nameNodes, type Composition, type CompositionOptions } from "./compose.ts";
import { nodeFailed } from "./program-model.ts";
import { inputOf } from "./node-input.ts";
import { checkStep } from "./program.ts";

/**
 * Runs runnables one after the other: each gets the previous answer as its input. The last answer is the composition's
 * answer. A node that fails or stops early ends it with `NODE_FAILED`.
 *
 * @param runnables - In order.
 * @param options - Name, store and limits of the composition's own run.
 * @throws ConfigurationError `EMPTY_COMPOSITION` without a node, `UNKNOWN_OPTION` for an option of another name,
 *   `INVALID_OPTION` for a node that is not an agent.
 *
 * @example
 * ```ts
 * import { pipeline } from "@bailiwick/compose";
 * import type { Composition } from "@bailiwick/compose";
 * import type { Runnable } from "@bailiwick/core";
 *
 * export function report(researcher: Runnable, writer: Runnable): Composition {
 *   return pipeline([researcher, writer], { name: "report" });
 * }
 * ```
 */
export function pipeline(runnables: readonly Runnable[], options: CompositionOptions = {}): Composition {
  checkCompositionOptions("pipeline", options);
  const nodes = nameNodes("pipeline", runnables);
  const names = [...nodes.keys()];
  const { name = "pipeline" } = options;
  return compose(
    "pipeline",
    nodes,
    ({ input, steps }) => {
      for (const [index, step] of steps.entries()) checkStep(name, step, names.slice(index, index + 1));
      const last = steps.at(-1)?.[0];
      if (last?.ok === false) throw nodeFailed(name, last.error);
      const next = names[steps.length];
      if (next === undefined) return { answer: last ?? { text: "" } };
      return { calls: [{ node: next, input: last === undefined ? input : inputOf(last) }] };
    },
    options,
  );
}
