import type { ModelProvider } from "./model-provider.ts";

/** Keeps the context below a bound; a view only: the journal keeps everything. */
export interface ContextCompactorConfig {
  readonly maxContextTokens: number;
  /** Kept free for the answer. */
  readonly reserveTokens?: number | undefined;
  readonly strategy: "trim" | "summarize" | "hybrid";
  /** Default: the agent's model. */
  readonly summarizeModel?: ModelProvider | undefined;
  /** What is kept first. */
  readonly priorityOrder?: readonly ("system" | "recentHistory" | "memory" | "tools")[] | undefined;
}

/** Bounds results of tools that set no `maxResultTokens`. */
export interface ToolResultLimit {
  /** Default 20,000 characters. */
  readonly maxChars?: number | undefined;
  /** Default `truncate`, structural for JSON. */
  readonly strategy?: "truncate" | "summarize" | undefined;
  /** Required for `summarize`. */
  readonly model?: ModelProvider | undefined;
}
