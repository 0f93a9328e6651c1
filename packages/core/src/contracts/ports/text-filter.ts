/** Rewrites text that arrives in pieces; `end` returns the text that was held back. */
export interface TextFilter {
  /**
   * Takes the next piece of text, and returns the text that is final.
   *
   * @param text - The next piece; pieces may be cut anywhere.
   */
  push(text: string): string;
  /** Ends the text, and returns the rest. */
  end(): string;
}
