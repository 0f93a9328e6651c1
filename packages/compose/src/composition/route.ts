import { ConfigurationError } from "@bailiwick/core";
import type { Runnable } from "@bailiwick/core";
import { aText } from "./ask-author.ts";
import { checkCompositionOptions, checkNode, compose, nodesByName } from "./compose.ts";
import type { Composition, CompositionOptions } from "./compose.ts";
import { textOfInput } from "./node-input.ts";
import { nodeFailed } from "./program-model.ts";

/** Settings of `route`. */
export interface RouteOptions<Name extends string> extends CompositionOptions {
  /** Chooses the route: a function of the input, or a runnable whose answer is a route's name. */
  readonly choose: ((input: string) => Name | Promise<Name>) | Runnable;
  /** The route to take if the chooser names none; without it, that is an error. */
  readonly otherwise?: Name | undefined;
}

const chooserNode = "choose_route";

/**
 * Runs the one of several runnables that the chooser names.
 *
 * @param routes - By name.
 * @param options - The chooser, and what to do when it names no route.
 * @throws ConfigurationError `INVALID_OPTION` when `otherwise` is not a route or a route is not an agent, `UNKNOWN_OPTION` for an option of another name.
 *
 * @example
 * ```ts
 * import { route } from "@bailiwick/compose";
 * import type { Composition } from "@bailiwick/compose";
 * import type { Runnable } from "@bailiwick/core";
 *
 * export function desk(refunds: Runnable, questions: Runnable): Composition {
 *   return route({ refunds, questions }, { choose: (input) => (/refund/i.test(input) ? "refunds" : "questions") });
 * }
 * ```
 */
export function route<const Name extends string>(
  routes: Readonly<Record<Name, Runnable>>,
  options: RouteOptions<NoInfer<Name>>,
): Composition {
  checkCompositionOptions("route", options, "choose", "otherwise");
  const { choose, otherwise, ...settings } = options;
  const nodes = nodesByName("route", routes);
  if (otherwise !== undefined && !nodes.has(otherwise)) {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `route(): "otherwise" names "${otherwise}", which is not one of ${[...nodes.keys()].join(", ")}.`,
    );
  }
  const names = [...nodes.keys()];
  const chooser = typeof choose === "function" ? undefined : choose;
  if (typeof choose !== "function") checkNode("route", '"choose"', choose);
  if (chooser !== undefined) nodes.set(chooserNode, chooser);
  const pick = (said: string): string => {
    const wanted = said.trim();
    const found =
      names.find((name) => name === wanted) ??
      names.find((name) => name.toLowerCase() === wanted.toLowerCase()) ??
      otherwise;
    if (found === undefined)
      throw new Error(`the chooser said "${wanted.slice(0, 80)}", which is not one of ${names.join(", ")}`);
    return found;
  };
  return compose(
    "route",
    nodes,
    async ({ input, steps }, author) => {
      const last = steps.at(-1)?.[0];
      if (last?.ok === false) throw nodeFailed(options.name ?? "route", last.error);
      if (last === undefined && typeof choose === "function") {
        return { calls: [{ node: pick(await author("choose", choose, [textOfInput(input)], aText)), input }] };
      }
      if (last === undefined) return { calls: [{ node: chooserNode, input }] };
      return last.node === chooserNode ? { calls: [{ node: pick(last.text), input }] } : { answer: last };
    },
    settings,
  );
}
