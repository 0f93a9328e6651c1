import { ConfigurationError, type JsonValue } from "@bailiwick/core";
import { aText } from "./ask-author.ts";
import { checkOptions, compose, type GivenOptions, type WorkflowHost } from "./compose.ts";
import { valueOf } from "./node-failed.ts";
import { nodeOf, nodesByName } from "./nodes.ts";
import { textOfValue } from "./values.ts";

type RouteOptions = GivenOptions & {
  readonly choose: ((input: JsonValue) => string) | object;
  readonly otherwise?: string | undefined;
};

const chooserNode = "choose_route";

/** Makes `route()`. */
export function routeOn(host: WorkflowHost) {
  return (options: RouteOptions, given: unknown): unknown => {
    checkOptions("route", options, "choose", "otherwise");
    const { choose, otherwise, ...settings } = options;
    const branches = nodesByName("route", given);
    const names = [...branches.keys()];
    if (otherwise !== undefined && !branches.has(otherwise))
      throw new ConfigurationError(
        "INVALID_OPTION",
        `route(): "otherwise" names "${otherwise}", which is not one of ${names.join(", ")}.`,
      );
    const chooser = typeof choose === "function" ? undefined : nodeOf("route", '"choose"', choose, chooserNode);
    if (chooser !== undefined && chooser.kind !== "agent" && chooser.kind !== "composition")
      throw new ConfigurationError(
        "INVALID_OPTION",
        `route(): "choose" must be a function, an agent or a composition.`,
      );
    const nodes = [...branches.values()];
    const { name = "route" } = options;
    /** The branch that was named, also in other letters. */
    const pick = (said: string): string => {
      const wanted = said.trim();
      const found =
        names.find((branch) => branch === wanted) ??
        names.find((branch) => branch.toLowerCase() === wanted.toLowerCase()) ??
        otherwise;
      if (found === undefined)
        throw new Error(`the chooser said "${wanted.slice(0, 80)}", which is not one of ${names.join(", ")}`);
      return found;
    };
    return compose(
      {
        kind: "route",
        nodes: chooser === undefined ? nodes : [...nodes, chooser],
        edges: [
          ...(chooser === undefined ? [] : [{ to: chooser.name, kind: "chooses" }]),
          ...[...branches].map(([branch, { name: to }]) => ({ from: chooser?.name, to, kind: `if ${branch}` })),
        ],
        options: settings,
        program: async ({ input, steps }, author) => {
          const last = steps.at(-1)?.[0];
          const value = last === undefined ? undefined : valueOf(name, last);
          if (last === undefined && chooser !== undefined)
            return { calls: [{ node: chooser.name, given: input }], chosenBy: "code" };
          // Another version may have asked an agent.
          const isChosen = last !== undefined && last.node === (chooser?.name ?? chooserNode);
          if (last !== undefined && !isChosen) return { answer: value ?? null };
          const said =
            typeof choose === "function" && !isChosen
              ? textOfValue(await author("choose", choose as (input: JsonValue) => string, [input.value], aText))
              : textOfValue(value ?? null);
          const choice = pick(said);
          const node = branches.get(choice)?.name ?? choice;
          return { calls: [{ node, given: input }], chosenBy: "data", choice };
        },
      },
      host,
    );
  };
}
