import type { JsonValue } from "@bailiwick/core";
import { checkOptions, compose, type GivenOptions, type WorkflowHost } from "./compose.ts";
import { valueOf } from "./node-failed.ts";
import { nodesByName } from "./nodes.ts";
import { checkStep } from "./program.ts";
import { checkCallback } from "./ask-author.ts";

/** Makes one answer of several. */
type Merge = (answers: JsonValue) => unknown;

/** Makes `parallel()`. */
export function parallelOn(host: WorkflowHost) {
  return (options: GivenOptions & { readonly merge?: Merge | undefined }, given: unknown): unknown => {
    checkOptions("parallel", options, "merge");
    const { merge, ...settings } = options;
    if (merge !== undefined) checkCallback("parallel", "merge", merge);
    const branches = nodesByName("parallel", given);
    const nodes = [...branches.values()];
    const names = nodes.map((node) => node.name);
    const { name = "parallel" } = options;
    return compose(
      {
        kind: "parallel",
        nodes,
        edges: [...branches].map(([branch, { name: to }]) => ({ to, kind: branch === to ? "with" : branch })),
        options: settings,
        program: async ({ input, steps }, author) => {
          const [results] = steps;
          if (results === undefined) return { calls: names.map((node) => ({ node, given: input })), chosenBy: "code" };
          checkStep(name, results, names);
          const values = new Map(results.map((result) => [result.node, valueOf(name, result)]));
          const answers = Object.fromEntries(
            [...branches].map(([branch, node]) => [branch, values.get(node.name) ?? null]),
          );
          return { answer: merge === undefined ? answers : await author("merge", merge, [answers]) };
        },
      },
      host,
    );
  };
}
