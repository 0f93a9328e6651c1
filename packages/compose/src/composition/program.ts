import { ToolMissingError } from "@bailiwick/core";
import type { JsonValue } from "@bailiwick/core";
import type { AskAuthor } from "./ask-author.ts";

/** The result of a node of a composition, with the node's name: another version of the program may have called it. */
export type NodeResult = { readonly node: string } & (
  | { readonly ok: true; readonly text: string; readonly structured?: JsonValue | undefined }
  | { readonly ok: false; readonly error: string }
);

/** One call of a node. */
export interface NodeCall {
  /** Name of the node. */
  readonly node: string;
  /** The input: text, or parts as JSON. */
  readonly input: JsonValue;
  /** Additional variables of the node's run. */
  readonly extraVars?: { readonly [name: string]: JsonValue } | undefined;
}

/** The next step of a composition: parallel calls, or its answer. */
export type ProgramStep =
  | { readonly calls: readonly NodeCall[] }
  | { readonly answer: { readonly text: string; readonly structured?: JsonValue | undefined } };

/** State of a composition. */
export interface Progress {
  /** The input of the composition. */
  readonly input: JsonValue;
  /** Results of each step so far, in the order of its calls. */
  readonly steps: readonly (readonly NodeResult[])[];
}

/**
 * Refuses a step that the program would not have made. The run is of another version of the program: by their positions
 * alone, a node would run twice, or its answer would count for another node.
 *
 * @param name - Name of the composition.
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
 * A composition as a function from its state to its next step. It is called once per step, and the step is journaled:
 * after a crash the run continues from there.
 */
export type Program = (progress: Progress, author: AskAuthor) => ProgramStep | Promise<ProgramStep>;
