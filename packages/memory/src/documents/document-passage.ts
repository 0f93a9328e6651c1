import type { Readers } from "@bailiwick/core";

/** A passage that was found. */
export interface DocumentPassage {
  /** The document and the heading above the passage: `returns.md#Deadlines`. */
  readonly citation: string;
  /** Name of the document. */
  readonly source: string;
  /** The headings above the passage, the outermost first. */
  readonly headings: readonly string[];
  /** The text, as it is in the document. */
  readonly text: string;
  /** Origin of the text. */
  readonly returns: "own" | "outside";
  /** The people who may see it; `undefined` for the users of the application. */
  readonly readers?: Readers | undefined;
}
