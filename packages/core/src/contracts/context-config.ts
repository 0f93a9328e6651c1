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
  /**
   * Method of shortening the conversation. `trim`: results, then answers, then the oldest messages. `hybrid`: results, then
   * a summary of the oldest messages. `summarize`: a summary first. A run asks for one summary, and for one more after
   * each four turns.
   */
  readonly strategy: "trim" | "summarize" | "hybrid";
  /** The model that writes summaries. Default: the agent's model. */
  readonly summarizeModel?: ModelProvider | undefined;
  /**
   * Parts that are kept longest, the most important one first: system messages of the conversation, the history, recalled
   * memories, results. Parts that are not named are shortened before those that are. The instructions and the newest
   * message always stay. Default: `system`, `memory`, `recentHistory`, `tools`; with `summarize`, `tools` before
   * `recentHistory`.
   */
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
