import { ConfigurationError, type JsonValue } from "@bailiwick/core";
import { aList, checkCallback } from "./ask-author.ts";
import { checkOptions, compose, type GivenOptions, type WorkflowHost } from "./compose.ts";
import { isInvalidValue, nodeFailed, valueOf } from "./node-failed.ts";
import { nodeOf } from "./nodes.ts";
import { unnamed } from "./pipeline.ts";
import type { NodeResult } from "./program.ts";

type MapOptions = GivenOptions & {
  readonly item?: object | undefined;
  readonly items?: readonly JsonValue[] | ((input: JsonValue) => readonly JsonValue[]) | undefined;
  readonly merge?: ((answers: readonly JsonValue[]) => unknown) | undefined;
  readonly onError?: "stop" | "collect" | undefined;
  readonly as?: string | undefined;
};

/** Makes `map()`. */
export function mapOn(host: WorkflowHost) {
  return (options: MapOptions, body: unknown): unknown => {
    checkOptions("map", options, "item", "items", "merge", "onError", "as");
    const { item, items, merge, onError = "stop", as = "item", ...settings } = options;
    checkMapOptions(options);
    const node = nodeOf("map", "the body", body, unnamed(body, "each"));
    const { name = "map" } = options;
    // Variables are for agents: a tool and a function get the item itself.
    const hasVariables = node.kind === "agent" || node.kind === "composition";
    return compose(
      {
        kind: "map",
        nodes: [node],
        edges: [{ to: node.name, kind: "each item" }],
        options: settings,
        ...(items === undefined && { list: { item } }),
        program: async ({ input, steps }, author) => {
          const [results] = steps;
          if (results !== undefined) {
            const answers = results.map((result) => answerOfItem(name, result, onError));
            return { answer: merge === undefined ? answers : await author("merge", merge, [answers]) };
          }
          const list =
            typeof items === "function" ? await author("items", items, [input.value], aList) : (items ?? input.value);
          const values = list as readonly JsonValue[];
          if (values.length === 0) return { answer: merge === undefined ? [] : await author("merge", merge, [[]]) };
          return {
            calls: values.map((value, index) => ({
              node: node.name,
              given: { value },
              ...(hasVariables && { extraVars: { [as]: value, index } }),
            })),
            chosenBy: typeof items === "object" ? "code" : "data",
          };
        },
      },
      host,
    );
  };
}

function answerOfItem(name: string, result: NodeResult, onError: "stop" | "collect"): JsonValue {
  if (onError === "stop") return valueOf(name, result);
  if (result.ok) return { ok: true, value: result.value };
  if (isInvalidValue(result.error)) throw nodeFailed(name, result);
  return { ok: false, error: result.error };
}

function checkMapOptions({ item, items, input, merge, onError, as }: MapOptions): void {
  const refuse = (message: string): never => {
    throw new ConfigurationError("INVALID_OPTION", `map(): ${message}`);
  };
  if (items !== undefined && typeof items !== "function" && !Array.isArray(items))
    refuse(`"items" must be a list or a function of the input.`);
  if (item !== undefined && items !== undefined)
    refuse(`"item" is the schema of the items of a list that is the input. With "items", use the schema "input".`);
  if (input !== undefined && items === undefined)
    refuse(`"input" needs "items", a function that makes the list. For a list as the input, use "item".`);
  if (merge !== undefined) checkCallback("map", "merge", merge);
  if (onError !== undefined && onError !== "stop" && onError !== "collect")
    refuse(`"onError" must be "stop" or "collect".`);
  if (as !== undefined && (typeof as !== "string" || as === "")) refuse(`"as" must be the name of a variable.`);
}
