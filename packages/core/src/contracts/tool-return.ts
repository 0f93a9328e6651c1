import type { ContentPart } from "./content-part.ts";
import type { ResultLabel } from "./tool-flow.ts";

/** Marks a `ToolReturn`, so that a plain object of the same shape is not mistaken for one. */
export const toolReturnBrand: unique symbol = Symbol.for("bailiwick.tool-return");

/** A result with more than its output; made by `toolReturn()` and recognised by its brand only. */
export interface ToolReturn<Output = unknown> {
  /** Marks values that `toolReturn()` made. */
  readonly [toolReturnBrand]: true;
  /** The result that the model gets. */
  readonly output: Output;
  /** Images, files and audio for the model, with every provider that accepts them. */
  readonly contentParts?: readonly ContentPart[] | undefined;
  /** Data for events, user interface and journal, never for a model. */
  readonly details?: unknown;
  /** A label that only lowers trust and removes readers. */
  readonly label?: ResultLabel | undefined;
  /** Ends the run as `stopped_by_tool` after the batch's other results are recorded. */
  readonly endRun?: boolean | undefined;
}
