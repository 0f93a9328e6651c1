import type { JsonValue } from "../contracts/json.ts";
import type { AskAuthor } from "./ask-author.ts";

/** The result of a node of a composition. */
export type NodeResult =
  | { readonly ok: true; readonly text: string; readonly structured?: JsonValue | undefined }
  | { readonly ok: false; readonly error: string };

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
 * A composition as a function from its state to its next step. It is called once per step, and the step is journaled:
 * after a crash the run continues from there.
 */
export type Program = (progress: Progress, author: AskAuthor) => ProgramStep | Promise<ProgramStep>;
