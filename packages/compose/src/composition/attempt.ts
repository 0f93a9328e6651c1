import { checkKnownNames } from "@bailiwick/core";
import type { Runnable } from "@bailiwick/core";
import { aText } from "./ask-author.ts";
import { checkCompositionOptions, checkNode, compose, type Composition, type CompositionOptions } from "./compose.ts";
import { textOfInput } from "./node-input.ts";
import { nodeFailed } from "./program-model.ts";
import type { NodeResult } from "./program.ts";

/** The nodes of `attempt`. */
export interface AttemptNodes {
  /** The agent or composition that runs first. */
  readonly try: Runnable;
  /** Runs when `try` failed; its answer then counts. */
  readonly catch?: Runnable | undefined;
  /** Runs last in every case; its answer is ignored. */
  readonly finally?: Runnable | undefined;
}

/** Settings of `attempt`. */
export interface AttemptOptions extends CompositionOptions {
  /** Makes the input of `catch`; default the input and the error. */
  readonly toInput?: ((input: string, error: string) => string) | undefined;
}

/**
 * Tries a runnable, and runs another one if it fails or stops early. Without `catch` the failure becomes the answer's
 * text, so that a composition around it can continue.
 *
 * @param nodes - The runnable to try, the one that answers after a failure, and the one that runs last.
 * @param options - Input of `catch`, name, store and limits.
 * @throws ConfigurationError `UNKNOWN_OPTION` for a node or an option of another name,
 *   `INVALID_OPTION` for a node that is not an agent.
 *
 * @example
 * ```ts
 * import { attempt } from "@bailiwick/compose";
 * import type { Composition } from "@bailiwick/compose";
 * import type { Runnable } from "@bailiwick/core";
 *
 * export function careful(risky: Runnable, fallback: Runnable): Composition {
 *   return attempt({ try: risky, catch: fallback });
 * }
 * ```
 */
export function attempt(nodes: AttemptNodes, options: AttemptOptions = {}): Composition {
  checkCompositionOptions("attempt", options, "toInput");
  checkKnownNames(nodes, ["try", "catch", "finally"], "attempt()");
  checkNode("attempt", '"try"', (nodes as Partial<AttemptNodes> | undefined)?.try);
  const { toInput, ...settings } = options;
  const named = new Map<string, Runnable>([["try", nodes.try]]);
  if (nodes.catch !== undefined) named.set("catch", nodes.catch);
  if (nodes.finally !== undefined) named.set("finally", nodes.finally);
  return compose(
    "attempt",
    named,
    async ({ input, steps }, author) => {
      const resultOf = (name: keyof AttemptNodes): NodeResult | undefined =>
        steps.flat().find(({ node }) => node === name);
      const tried = resultOf("try");
      if (tried === undefined) return { calls: [{ node: "try", input }] };
      const [caught, last] = [resultOf("catch"), resultOf("finally")];
      // Another version may have had no "catch", and run "finally" after the failure.
      const catching = !tried.ok && (caught !== undefined || (nodes.catch !== undefined && last === undefined));
      if (catching && caught === undefined) {
        const asked =
          toInput === undefined
            ? `${textOfInput(input)}\n\nA first attempt failed: ${tried.error}`
            : await author("toInput", toInput, [textOfInput(input), tried.error], aText);
        return { calls: [{ node: "catch", input: asked }] };
      }
      const settled = caught ?? tried;
      if (nodes.finally !== undefined && last === undefined) {
        return { calls: [{ node: "finally", input: settled.ok ? settled.text : settled.error }] };
      }
      if (settled.ok) return { answer: settled };
      if (catching) throw nodeFailed(options.name ?? "attempt", settled.error);
      return { answer: { text: settled.error } };
    },
    settings,
  );
}
