import type { JsonValue, Runnable } from "@bailiwick/core";
import { checkCompositionOptions, compose, nodesByName, type Composition, type CompositionOptions } from "./compose.ts";
import { nodeFailed } from "./program-model.ts";
import { checkStep, type NodeResult } from "./program.ts";

/** The answer of one branch. */
export interface BranchAnswer {
  /** Text of the branch's answer. */
  readonly text: string;
  /** Its structured answer, if its agent has an output schema. */
  readonly structured?: JsonValue | undefined;
}

/**
 * Makes one answer of several; text, or a JSON value that becomes the structured answer.
 *
 * @param answers - The answers of the branches, in the order in which the branches were given.
 */
export type Merge<Answers> = (answers: Answers) => JsonValue | Promise<JsonValue>;

/** Settings of `parallel`. */
export interface ParallelOptions<Name extends string> extends CompositionOptions {
  /** Default: an object with each branch's structured answer or text. */
  readonly merge?: Merge<Readonly<Record<Name, BranchAnswer>>> | undefined;
}

/**
 * Runs all branches in parallel with the same input, and merges their answers. When a branch fails the composition ends
 * with `NODE_FAILED`; wrap a branch in `attempt` to continue without it.
 *
 * @param branches - By name.
 * @param options - Merge, concurrency (default 8), name, store and limits.
 * @throws ConfigurationError `EMPTY_COMPOSITION` without a branch, `UNKNOWN_OPTION` for an option of another name,
 *   `INVALID_OPTION` for a node that is not an agent.
 *
 * @example
 * ```ts
 * import { parallel } from "@bailiwick/compose";
 * import type { Composition } from "@bailiwick/compose";
 * import type { Runnable } from "@bailiwick/core";
 *
 * export function review(law: Runnable, style: Runnable): Composition {
 *   return parallel({ law, style }, { merge: ({ law, style }) => `${law.text}\n\n${style.text}` });
 * }
 * ```
 */
export function parallel<const Name extends string>(
  branches: Readonly<Record<Name, Runnable>>,
  options: ParallelOptions<Name> = {},
): Composition {
  checkCompositionOptions("parallel", options, "merge");
  const { merge, ...settings } = options;
  const nodes = nodesByName("parallel", branches);
  const names = [...nodes.keys()] as Name[];
  const { name = "parallel" } = options;
  return compose(
    "parallel",
    nodes,
    async ({ input, steps }, author) => {
      const [results] = steps;
      if (results === undefined) return { calls: names.map((node) => ({ node, input })) };
      checkStep(name, results, names);
      const answers = new Map(succeeded(name, results).map((answer, index) => [results[index]?.node, answer]));
      const named = Object.fromEntries(names.map((node) => [node, answers.get(node)])) as Record<Name, BranchAnswer>;
      const plain = Object.fromEntries(names.map((node) => [node, valueOf(named[node])]));
      return { answer: asAnswer(merge === undefined ? plain : await author("merge", merge, [named])) };
    },
    settings,
  );
}

/** The answers of all results; the first failure ends the composition. */
export function succeeded(name: string, results: readonly NodeResult[]): readonly BranchAnswer[] {
  return results.map((result) => {
    if (!result.ok) throw nodeFailed(name, result.error);
    return result;
  });
}

/** A branch's structured answer, or its text. */
export function valueOf(answer: BranchAnswer): JsonValue {
  return answer.structured ?? answer.text;
}

/** A text becomes the answer's text; any other value becomes its structured answer, written as JSON. */
export function asAnswer(value: JsonValue): BranchAnswer {
  return typeof value === "string" ? { text: value } : { text: JSON.stringify(value), structured: value };
}
