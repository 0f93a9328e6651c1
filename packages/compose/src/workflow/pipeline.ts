import { ConfigurationError } from "@bailiwick/core";
import { checkOptions, compose, type GivenOptions, type WorkflowHost } from "./compose.ts";
import { valueOf } from "./node-failed.ts";
import { nodeOf, numbered } from "./nodes.ts";
import { checkStep } from "./program.ts";
import type { Node } from "./shape.ts";

/** Makes `pipeline()`. */
export function pipelineOn(host: WorkflowHost) {
  return (...args: readonly unknown[]): unknown => {
    // A list of nodes that code built comes first; nodes one by one come after the options.
    const isList = Array.isArray(args[0]);
    const options = (isList ? (args[1] ?? {}) : args[0]) as GivenOptions;
    checkOptions("pipeline", options);
    const nodes = nodesInOrder("pipeline", isList ? (args[0] as readonly unknown[]) : args.slice(1));
    const names = nodes.map((node) => node.name);
    const { name = "pipeline" } = options;
    return compose(
      {
        kind: "pipeline",
        nodes,
        edges: names.map((to, index) => ({ from: names[index - 1], to, kind: "then" })),
        options,
        program: ({ input, steps }) => {
          for (const [index, step] of steps.entries()) checkStep(name, step, names.slice(index, index + 1));
          const last = steps.at(-1)?.[0];
          const value = last === undefined ? undefined : valueOf(name, last);
          const next = names[steps.length];
          if (next === undefined) return { answer: value ?? null };
          return { calls: [{ node: next, given: value === undefined ? input : { value } }], chosenBy: "code" };
        },
      },
      host,
    );
  };
}

/** Nodes one after the other: a function without a name is named after its position. */
function nodesInOrder(kind: string, given: readonly unknown[]): readonly Node[] {
  if (given.length === 1 && Array.isArray(given[0]))
    throw new ConfigurationError(
      "INVALID_OPTION",
      `${kind}() takes its nodes one by one after the options, or a list before them: ${kind}({}, first, second).`,
    );
  return numbered(
    given.map((node, index) => nodeOf(kind, `node ${index + 1}`, node, unnamed(node, `step_${index + 1}`))),
  );
}

/** A name for a function that has none. */
export function unnamed(node: unknown, name: string): string | undefined {
  return typeof node === "function" && node.name === "" ? name : undefined;
}
