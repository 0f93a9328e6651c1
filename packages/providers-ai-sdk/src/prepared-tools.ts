import type { LanguageModelV4FunctionTool, LanguageModelV4ProviderTool } from "@ai-sdk/provider";
import type { JsonSchema, Warning } from "@bailiwick/core/provider";

/** A function in the form of the AI SDK. */
export interface PreparedTool {
  readonly tool: LanguageModelV4FunctionTool;
  readonly warnings: readonly Warning[];
  /** The schema whose added nulls are removed from arguments; set for an enforced schema. */
  readonly strictOf: JsonSchema | undefined;
}

/** The tools of a request. */
export interface PreparedTools {
  readonly tools: readonly (LanguageModelV4FunctionTool | LanguageModelV4ProviderTool)[];
  readonly warnings: readonly Warning[];
  /** Registered name of a name on the wire. */
  readonly readName: (wireName: string) => string;
  /** True if the sent name belongs to a function of the agent; a call of another may be the vendor's own. */
  readonly isFunction: (wireName: string) => boolean;
  /** True if the name belongs to a tool that the vendor runs. */
  readonly isHosted: (name: string) => boolean;
  /** Parsed arguments of a call; empty if the text is not JSON. */
  readonly readInput: (name: string, text: string) => { readonly input?: unknown };
}
