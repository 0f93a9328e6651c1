import type { Tool } from "../contracts/tool.ts";
import type { SearchIndex } from "./bm25.ts";

/** Name of the tool that finds deferred tools, unless a user's own tool has it. */
export const TOOL_SEARCH = "tool_search";

/** Parsed arguments of `tool_search`. */
export interface ToolSearchInput {
  readonly query: string;
  readonly limit: number;
}

/** Result of `tool_search`: from the next turn on, the tools are in the request's list. */
export interface ToolSearchOutput {
  /** Names of the tools that match, best first. */
  readonly tools: readonly string[];
  readonly message: string;
}

/**
 * Answers a search with matching tools only; the list is not filled up.
 *
 * @param index - Made by `indexTools()` of `tool-index.ts`.
 * @param accepts - Leaves out tools that this run does not have.
 */
export function searchTools(
  index: SearchIndex,
  input: ToolSearchInput,
  accepts: (name: string) => boolean,
): ToolSearchOutput {
  const tools = index.search(input.query, input.limit, accepts).map((hit) => hit.id);
  return {
    tools,
    message:
      tools.length === 0
        ? "No tool matches. Search with other words for what the tool does, or continue without."
        : "These tools can be called from now on.",
  };
}

/**
 * The definition of `tool_search`; the catalogue of a run binds its implementation.
 *
 * @param execute - Searches the catalogue of one run, and promotes the results.
 */
export function toolSearchTool(
  execute: (input: ToolSearchInput) => ToolSearchOutput | Promise<ToolSearchOutput>,
): Tool<ToolSearchInput, ToolSearchOutput> {
  return {
    name: TOOL_SEARCH,
    description:
      "Finds tools that are not in your list. Say in a few words what the tool has to do. What is found can be called from the next turn on.",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 500, description: "What the tool has to do." },
        limit: { type: "integer", minimum: 1, maximum: 20, default: 5, description: "How many tools at most." },
      },
      required: ["query"],
      additionalProperties: false,
    },
    sideEffectClass: "pure",
    output: { integrity: "system" },
    execute: (input) => {
      const { query, limit } = input as Partial<ToolSearchInput> & { readonly query: string };
      return execute({ query, limit: limit ?? 5 });
    },
  };
}
