import { ToolMissingError, type JsonValue } from "@bailiwick/core";
import type { AskAuthor } from "./ask-author.ts";
import type { Given } from "./values.ts";

/** The result of a node of a workflow, with the node's name: another version of the program may have called it. */
export type NodeResult = { readonly node: string } & (
  | { readonly ok: true; readonly value: JsonValue }
  | {
      readonly ok: false;
      /** Kind of the failure, such as `invalid_input`. */
      readonly kind: string;
      readonly error: string;
    }
);

/** One call of a node. */
interface NodeCall {
  /** Name of the node. */
  readonly node: string;
  readonly given: Given;
  /** Additional variables of the node's run. */
  readonly extraVars?: Readonly<Record<string, JsonValue>> | undefined;
}

/** Parallel calls, and what chose them. */
interface CallStep {
  readonly calls: readonly NodeCall[];
  /** `code`: the workflow always makes these calls. `data`: a value chose them, such as a branch or a number of items. */
  readonly chosenBy: "code" | "data";
  /** The branch that was chosen, for people. */
  readonly choice?: string | undefined;
}

/** The next step of a workflow: parallel calls, or its answer. */
export type ProgramStep = CallStep | { readonly answer: JsonValue };

/** State of a workflow. */
export interface Progress {
  /** The input of the workflow. */
  readonly input: Given;
  /** Results of each step so far, in the order of its calls. */
  readonly steps: readonly (readonly NodeResult[])[];
}

/**
 * Refuses a step that the program would not have made. The run is of another version of the program: by their positions
 * alone, a node would run twice, or its answer would count for another node.
 *
 * @param name - Name of the workflow.
 * @param step - The results of the step.
 * @param nodes - The nodes that the program calls in this step, in any order.
 * @throws ToolMissingError: the run waits for the version that made the step.
 */
export function checkStep(name: string, step: readonly NodeResult[], nodes: readonly string[]): void {
  const called = step.map(({ node }) => node);
  if (called.length === nodes.length && nodes.every((node) => called.includes(node))) return;
  const quoted = (given: readonly string[]): string => given.map((node) => `"${node}"`).join(", ") || "no node";
  throw new ToolMissingError(
    called[0] ?? "",
    undefined,
    `A run of the composition "${name}" has called ${quoted(called)} in a step in which this version calls ${quoted(nodes)}. Resume it with the nodes that it began with, or cancel it.`,
  );
}

/**
 * A workflow as a function from its state to its next step. It is called once per step, and the step is journaled:
 * after a crash the run continues from there.
 */
export type Program = (progress: Progress, author: AskAuthor) => ProgramStep | Promise<ProgramStep>;
