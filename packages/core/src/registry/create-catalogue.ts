import type { FunctionToolDefinition } from "../contracts/model-provider.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";
import type { ResolvedTool } from "../contracts/resolved-tool.ts";
import type { Tool } from "../contracts/tool.ts";
import { InvalidToolError } from "../errors/configuration-errors.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import { EXTRACT } from "../tools/extract.ts";
import { TOOL_SEARCH, searchTools } from "../tools/tool-search.ts";
import type { ToolSearchInput, ToolSearchOutput } from "../tools/tool-search.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Registry } from "./create-registry.ts";
import { nearestNames } from "../errors/nearest-names.ts";
import { recordOf } from "./resolve-tool.ts";

/** What a run's catalogue is made of. */
export interface CatalogueOptions {
  readonly registry: Registry;
  readonly hasher: Hasher;
  /** Final names of tools whose `isEnabled` said no; see `disabledTools()`. */
  readonly disabled?: ReadonlySet<string> | undefined;
  /** Deferred tools that were promoted before, in order: `state.promoted` of a resumed run. */
  readonly promoted?: readonly string[] | undefined;
  /** Called with the names that `tool_search` promoted, to journal `catalogue.promoted`. */
  readonly onSearch?: ((names: readonly string[]) => void) | undefined;
  /** Reads quarantined values; the run has `extract` when it is given. */
  readonly extract?: Tool["execute"] | undefined;
}

/**
 * Makes the catalogue of one run. What the runs of an agent share is the registry's; a run that promotes nothing costs
 * a few small objects whatever the number of tools.
 *
 * @param options - The registry, what is off in this run, what was promoted, and who journals promotions.
 * @throws InvalidToolError when a user's tool has the name of one that this run needs.
 */
export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { registry, hasher, disabled } = options;
  const { toolSet } = registry;
  const off = disabled !== undefined && disabled.size > 0 ? disabled : undefined;
  const promoted = new Set<string>();
  const extract = extractOf(options);
  let offered: readonly FunctionToolDefinition[] =
    off === undefined ? toolSet.advertised : toolSet.advertised.filter(({ name }) => !off.has(name));
  if (extract !== undefined) offered = Object.freeze([...offered, toolSet.definitionOf(extract)]);
  let hash: string | undefined;

  const isThere = (name: string): boolean => toolSet.byName.has(name) && off?.has(name) !== true;
  const promote = (names: readonly string[]): readonly string[] => {
    const added: ResolvedTool[] = [];
    for (const name of names) {
      const tool = isThere(name) ? toolSet.byName.get(name) : undefined;
      if (tool === undefined || !tool.__effectiveDeferLoading || promoted.has(name)) continue;
      promoted.add(name);
      added.push(tool);
    }
    if (added.length > 0) offered = Object.freeze([...offered, ...added.map(toolSet.definitionOf)]);
    return added.map((tool) => tool.name);
  };
  const runSearch = (input: ToolSearchInput): ToolSearchOutput => {
    const found = searchTools(toolSet.searchIndex(), input, isThere);
    const added = promote(found.tools);
    if (added.length > 0) options.onSearch?.(added);
    return found;
  };

  const search =
    toolSet.search === undefined
      ? undefined
      : recordOf(toolSet.search, TOOL_SEARCH, (input) =>
          runSearch({ limit: 5, ...(input as Partial<ToolSearchInput> & { readonly query: string }) }),
        );
  const bound = (tool: ResolvedTool): ResolvedTool =>
    tool.name === TOOL_SEARCH && search !== undefined ? search : tool;
  let listed: readonly ResolvedTool[] | undefined =
    off === undefined && search === undefined && extract === undefined ? toolSet.tools : undefined;
  const list = (): readonly ResolvedTool[] =>
    (listed ??= Object.freeze([
      ...toolSet.tools.filter((tool) => isThere(tool.name)).map(bound),
      ...(extract === undefined ? [] : [extract]),
    ]));
  const isOwn = (name: string): boolean => extract !== undefined && name === EXTRACT;
  promote(options.promoted ?? []);

  return {
    get: (name) => {
      if (isOwn(name)) return extract;
      const tool = isThere(name) ? toolSet.byName.get(name) : undefined;
      return tool === undefined ? undefined : bound(tool);
    },
    get tools() {
      return list();
    },
    advertised: () => offered,
    isCallable: (name) =>
      isOwn(name) ||
      (isThere(name) && (promoted.has(name) || toolSet.byName.get(name)?.__effectiveDeferLoading === false)),
    promote,
    resolveName: (name) => (isOwn(name) ? name : registry.resolveName(name)),
    nearest: (name, limit) =>
      nearestNames(
        name,
        list().map((tool) => tool.name),
        limit,
      ),
    get hash() {
      hash ??= hasher.sha256(canonicalJson(list().map((tool) => [tool.name, tool.__definitionHash])));
      return hash;
    },
  };
}

/** A user's tool has the name of the tool that reads quarantined values. */
export function extractIsTaken(): InvalidToolError {
  return new InvalidToolError(
    EXTRACT,
    "with flow.quarantine this name is the framework's own. Give the tool another one.",
  );
}

function extractOf({ registry: { toolSet }, extract }: CatalogueOptions): ResolvedTool | undefined {
  if (extract === undefined) return undefined;
  if (toolSet.byName.has(EXTRACT)) throw extractIsTaken();
  return recordOf(toolSet.extract(), EXTRACT, extract);
}
