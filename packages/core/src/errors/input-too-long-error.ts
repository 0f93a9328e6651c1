import { BailiwickError } from "./bailiwick-error.ts";

/** The newest message does not fit the model, whatever else is left out. Code `INPUT_TOO_LONG`. */
export class InputTooLongError extends BailiwickError {
  /** Tokens of the message and of what is sent with each request: estimated, and corrected by what the vendor counted. */
  readonly tokens: number;
  /** Maximum number of tokens. */
  readonly maximumTokens: number;

  /**
   * @param tokens - Tokens of the shortest request.
   * @param maximumTokens - Maximum number of tokens.
   * @param source - The source of the maximum, such as an option or a model.
   */
  constructor(tokens: number, maximumTokens: number, source: string) {
    super(
      "INPUT_TOO_LONG",
      `The newest message does not fit: the shortest request with it has about ${tokens} tokens, and ${source} allows ${maximumTokens}. Send a shorter message, give the text to a tool that reads it in parts, or use a model with a larger context window.`,
    );
    this.tokens = tokens;
    this.maximumTokens = maximumTokens;
  }
}
