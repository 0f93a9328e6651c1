import type { FunctionToolDefinition } from "../contracts/model-provider.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";
import type { ResolvedTool } from "../contracts/resolved-tool.ts";
import type { Tool } from "../contracts/tool.ts";
import { InvalidToolError } from "../errors/configuration-errors.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import { EXTRACT } from "../tools/extract.ts";
import { TOOL_SEARCH, searchTools, type ToolSearchInput, type ToolSearchOutput } from "../tools/tool-search.ts";
import type { Registry } from "./create-registry.ts";
import { nearestNames } from "../errors/nearest-names.ts";
import { recordOf } from "./resolve-tool.ts";

/** Options of a run's catalogue. */
export interface CatalogueOptions {
  readonly registry: Registry;
  readonly hasher: Hasher;
  /** Final names of tools whose `isEnabled` returned false; see `disabledTools()`. */
  readonly disabled?: ReadonlySet<string> | undefined;
  /** Deferred tools that were promoted earlier, in order: `state.promoted` of a resumed run. */
  readonly promoted?: readonly string[] | undefined;
  /** Called with the names that `tool_search` promoted, to journal `catalogue.promoted`. */
  readonly onSearch?: ((names: readonly string[]) => void) | undefined;
  /** Reads quarantined values; if given, the run has `extract`. */
  readonly extract?: Tool["execute"] | undefined;
}

const nothing: ReadonlySet<string> = new Set();

/**
 * The tools of one run: registered, advertised and promoted ones. Data that the runs of an agent share is in the
 * registry; a run that promotes nothing costs a few small objects for any number of tools.
 */
export class Catalogue {
  readonly #registry: Registry;
  readonly #toolSet: Registry["toolSet"];
  readonly #hasher: Hasher;
  readonly #onSearch: CatalogueOptions["onSearch"];
  readonly #off: ReadonlySet<string> | undefined;
  readonly #extract: ResolvedTool | undefined;
  readonly #search: ResolvedTool | undefined;
  #promoted: ReadonlySet<string> = nothing;
  #offered: readonly FunctionToolDefinition[];
  #listed: readonly ResolvedTool[] | undefined;
  #hash: string | undefined;

  /** @throws InvalidToolError if a user's tool has the name of a tool that this run needs. */
  constructor(options: CatalogueOptions) {
    const { registry, disabled } = options;
    const { toolSet } = registry;
    this.#registry = registry;
    this.#toolSet = toolSet;
    this.#hasher = options.hasher;
    this.#onSearch = options.onSearch;
    const off = disabled !== undefined && disabled.size > 0 ? disabled : undefined;
    this.#off = off;
    this.#extract = extractOf(options);
    this.#search =
      toolSet.search === undefined
        ? undefined
        : recordOf(toolSet.search, TOOL_SEARCH, (input) =>
            this.#runSearch({ limit: 5, ...(input as Partial<ToolSearchInput> & { readonly query: string }) }),
          );
    const offered = off === undefined ? toolSet.advertised : toolSet.advertised.filter(({ name }) => !off.has(name));
    this.#offered =
      this.#extract === undefined ? offered : Object.freeze([...offered, toolSet.definitionOf(this.#extract)]);
    if (off === undefined && this.#search === undefined && this.#extract === undefined) this.#listed = toolSet.tools;
    this.promote(options.promoted ?? []);
  }

  /** A tool of the run by its final name, deferred ones included. */
  get(name: string): ResolvedTool | undefined {
    if (this.#isExtract(name)) return this.#extract;
    const tool = this.#isThere(name) ? this.#toolSet.byName.get(name) : undefined;
    return tool === undefined ? undefined : this.#bound(tool);
  }

  get tools(): readonly ResolvedTool[] {
    this.#listed ??= Object.freeze([
      ...this.#toolSet.tools.filter((tool) => this.#isThere(tool.name)).map((tool) => this.#bound(tool)),
      ...(this.#extract === undefined ? [] : [this.#extract]),
    ]);
    return this.#listed;
  }

  /** Names of the tools that the client runs. */
  get clientTools(): ReadonlySet<string> {
    return this.#toolSet.clientTools;
  }

  /** The tools that the model is offered now: stable order, promotions appended. The same array until a tool is promoted. */
  advertised(): readonly FunctionToolDefinition[] {
    return this.#offered;
  }

  /** True if a call of this name may run: registered, and advertised or promoted. */
  isCallable(name: string): boolean {
    return (
      this.#isExtract(name) ||
      (this.#isThere(name) &&
        (this.#promoted.has(name) || this.#toolSet.byName.get(name)?.__effectiveDeferLoading === false))
    );
  }

  /** Adds deferred tools to the advertised ones; returns the new ones. The caller journals `catalogue.promoted`. */
  promote(names: readonly string[]): readonly string[] {
    if (names.length === 0) return names;
    const promoted = new Set(this.#promoted);
    const added: ResolvedTool[] = [];
    for (const name of names) {
      const tool = this.#isThere(name) ? this.#toolSet.byName.get(name) : undefined;
      if (tool === undefined || !tool.__effectiveDeferLoading || promoted.has(name)) continue;
      promoted.add(name);
      added.push(tool);
    }
    this.#promoted = promoted;
    if (added.length > 0)
      this.#offered = Object.freeze([...this.#offered, ...added.map((tool) => this.#toolSet.definitionOf(tool))]);
    return added.map((tool) => tool.name);
  }

  /** The final name for a name used in a policy, following renames. Throws `UnknownToolNameError`. */
  resolveName(name: string, option?: string): string {
    return this.#isExtract(name) ? name : this.#registry.resolveName(name, option);
  }

  /** Names nearest to an unknown one. */
  nearest(name: string, limit?: number): readonly string[] {
    return nearestNames(
      name,
      this.tools.map((tool) => tool.name),
      limit,
    );
  }

  /** Hash of the catalogue: names and definition hashes. */
  get hash(): string {
    this.#hash ??= this.#hasher.sha256(canonicalJson(this.tools.map((tool) => [tool.name, tool.__definitionHash])));
    return this.#hash;
  }

  #isThere(name: string): boolean {
    return this.#toolSet.byName.has(name) && this.#off?.has(name) !== true;
  }

  #isExtract(name: string): boolean {
    return this.#extract !== undefined && name === EXTRACT;
  }

  /** The search of this run, in place of the registry's. */
  #bound(tool: ResolvedTool): ResolvedTool {
    return tool.name === TOOL_SEARCH && this.#search !== undefined ? this.#search : tool;
  }

  async #runSearch(input: ToolSearchInput): Promise<ToolSearchOutput> {
    const found = searchTools(await this.#toolSet.searchIndex(), input, (name) => this.#isThere(name));
    const added = this.promote(found.tools);
    if (added.length > 0) this.#onSearch?.(added);
    return found;
  }
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
