import type { JsonValue, Tool } from "@bailiwick/core";
import type { Given, InputCodec } from "./values.ts";

/** Kind of a node. */
type NodeKind = "agent" | "composition" | "tool" | "function";

/** A node of a workflow: a tool of the workflow's own run. */
export interface Node {
  /** Name of the tool, unique in the workflow. */
  readonly name: string;
  readonly kind: NodeKind;
  /** The node as the author gave it. */
  readonly given: unknown;
  /**
   * Makes the tool of the workflow's run.
   *
   * @param where - Name of the workflow, for errors.
   * @param noteAsync - Gets each function that returned a promise.
   */
  readonly tool: (where: string, noteAsync: (sessionId: string, node: string) => void) => Tool;
  /** The arguments of a call with a value. */
  readonly argumentsOf: (given: Given, extraVars?: Readonly<Record<string, JsonValue>>) => JsonValue;
  /** The structure of a workflow as a node. */
  readonly shape?: Shape | undefined;
}

/** A step from one node of a workflow to another, for its graph. Without `from`, it begins at the workflow. */
export interface ShapeEdge {
  readonly from?: string | undefined;
  readonly to: string;
  readonly kind: string;
}

/** The structure of a workflow: its nodes, and the steps between them. */
export interface Shape {
  readonly name: string;
  readonly kind: string;
  readonly nodes: readonly Node[];
  readonly edges: readonly ShapeEdge[];
  /** Set if the input is a value. */
  readonly codec: InputCodec | undefined;
}

const shapeKey: unique symbol = Symbol.for("bailiwick.workflow");

/** Attaches the structure to a workflow, where workflows around it and graphs find it. */
export function exposeShape(face: object, shape: Shape): void {
  Object.defineProperty(face, shapeKey, { value: shape });
}

/** The structure of a workflow; `undefined` for any other value. */
export function shapeOf(given: unknown): Shape | undefined {
  return (given as { readonly [shapeKey]?: Shape } | null | undefined)?.[shapeKey];
}
