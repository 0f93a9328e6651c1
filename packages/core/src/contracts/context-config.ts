import type { ModelProvider } from "./model-provider.ts";
import type { TruncationStrategy } from "./vocabularies.ts";

/** Keeps the context below a limit. Only the request is shortened: the journal keeps everything. */
export interface ContextCompactorConfig {
  /** Maximum size of a request, in tokens; above it, the conversation is shortened. */
  readonly maxContextTokens: number;
  /** Tokens reserved for the answer. */
  readonly reserveTokens?: number | undefined;
  /**
   * Counts the tokens of a text, with the tokenizer of the model: such as `countTokens` of `gpt-tokenizer` for
   * OpenAI's. Called once for each message; it must be synchronous. Default: 4 characters a token.
   */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Method of shortening the conversation. */
  readonly strategy: "trim" | "summarize" | "hybrid";
  /** The model that writes summaries. Default: the agent's model. */
  readonly summarizeModel?: ModelProvider | undefined;
  /** Parts that are kept longest. */
  readonly priorityOrder?: readonly ("system" | "recentHistory" | "memory" | "tools")[] | undefined;
}

/** Limits the results of tools that set no `maxResultTokens`. */
export interface ToolResultLimit {
  /** Maximum number of tokens, of four bytes each as in `maxResultTokens`; default 5,000, and 0 sets no limit. */
  readonly maxTokens?: number | undefined;
  /** Default for tools without `truncationStrategy`: `middle` for text and `spill` for other values. */
  readonly strategy?: TruncationStrategy | undefined;
  /** Required for `summarize`. */
  readonly model?: ModelProvider | undefined;
}
