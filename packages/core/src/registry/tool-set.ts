import type { FunctionToolDefinition } from "../contracts/model-provider.ts";
import type { ResolvedTool } from "../contracts/resolved-tool.ts";
import type { ToolSource } from "../contracts/vocabularies.ts";
import { lazyPart } from "../loading/lazy-part.ts";
import type { SearchIndex } from "../tools/bm25.ts";
import { READ_RESULT } from "../tools/read-result.ts";
import { TOOL_SEARCH } from "../tools/tool-search.ts";
import { recordOf } from "./resolve-tool.ts";
import type { ToolFacts } from "./tool-facts.ts";

/** Most runs have no deferred tool to search for. */
const searching = lazyPart("The search for tools", () => import("../tools/tool-index.ts"));

/** A tool in a registry, before it has its final name. */
export interface RegisteredTool {
  readonly name: string;
  readonly source: ToolSource;
  readonly facts: ToolFacts;
}

/** The settled tools of a registry, and the data that all runs share. */
export interface ToolSet {
  readonly tools: readonly ResolvedTool[];
  readonly byName: ReadonlyMap<string, ResolvedTool>;
  /** The tool of each name, for names used in policies. */
  readonly named: ReadonlyMap<string, RegisteredTool>;
  /** The definition of a tool for the model; made once. */
  definitionOf(tool: ResolvedTool): FunctionToolDefinition;
  /** Definitions of all tools that are not deferred. */
  readonly advertised: readonly FunctionToolDefinition[];
  /** Names of the tools that the client runs. */
  readonly clientTools: ReadonlySet<string>;
  /** The index of the deferred tools; built with its first use. */
  searchIndex(): SearchIndex | Promise<SearchIndex>;
  /** Present if a deferred tool exists; each run binds it to its catalogue. */
  readonly search: ToolFacts | undefined;
  /** Added to the catalogue of a run that quarantines untrusted values. */
  readonly extract: () => ToolFacts;
}

/**
 * Settles the tools of a registry.
 *
 * @param builtIns - The framework's own: `tool_search` is added if there is something to search, `read_result` always.
 */
export function createToolSet(
  named: ReadonlyMap<string, RegisteredTool>,
  builtIns: {
    readonly search: ToolFacts;
    readonly readResult: ResolvedTool | undefined;
    readonly extract: () => ToolFacts;
  },
): ToolSet {
  const byName = new Map<string, ResolvedTool>();
  for (const [name, { facts }] of named) byName.set(name, recordOf(facts, name));
  const deferred = [...byName.values()].filter((tool) => tool.__effectiveDeferLoading);
  const search = deferred.length > 0 ? builtIns.search : undefined;
  if (search !== undefined) byName.set(TOOL_SEARCH, recordOf(search, TOOL_SEARCH));
  if (builtIns.readResult !== undefined) byName.set(READ_RESULT, builtIns.readResult);

  const definitions = new WeakMap<ResolvedTool, FunctionToolDefinition>();
  const definitionOf = (tool: ResolvedTool): FunctionToolDefinition => {
    let definition = definitions.get(tool);
    if (definition === undefined) {
      definition = Object.freeze({
        type: "function",
        name: tool.name,
        description: tool.__advertisedDescription,
        inputSchema: tool.__inputJsonSchema,
        strict: tool.strict,
      });
      definitions.set(tool, definition);
    }
    return definition;
  };
  const tools = Object.freeze([...byName.values()]);
  let index: SearchIndex | undefined;
  return {
    tools,
    byName,
    named,
    definitionOf,
    advertised: Object.freeze(tools.filter((tool) => !tool.__effectiveDeferLoading).map(definitionOf)),
    clientTools: new Set(tools.flatMap(({ name, runsOn }) => (runsOn === "client" ? [name] : []))),
    searchIndex: () => index ?? searching(({ indexTools }) => (index ??= indexTools(deferred))),
    search,
    extract: builtIns.extract,
  };
}
