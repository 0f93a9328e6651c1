import type { FunctionToolDefinition } from "../contracts/model-provider.ts";
import type { ResolvedTool } from "../contracts/resolved-tool.ts";

/** The tools of one run: registered, advertised and promoted ones. */
export interface Catalogue {
  /** Every tool of the run by its final name, deferred ones included. */
  get(name: string): ResolvedTool | undefined;
  readonly tools: readonly ResolvedTool[];
  /** Names of the tools that the client runs. */
  readonly clientTools: ReadonlySet<string>;
  /** The tools that the model is offered now: stable order, promotions appended. The same array until a tool is promoted. */
  advertised(): readonly FunctionToolDefinition[];
  /** True if a call of this name may run: registered, and advertised or promoted. */
  isCallable(name: string): boolean;
  /** Adds deferred tools to the advertised ones; returns the new ones. The caller journals `catalogue.promoted`. */
  promote(names: readonly string[]): readonly string[];
  /** The final name for a name used in a policy, following renames. Throws `UnknownToolNameError`. */
  resolveName(name: string, option?: string): string;
  /** Names nearest to an unknown one. */
  nearest(name: string, limit?: number): readonly string[];
  /** Hash of the catalogue: names and definition hashes. */
  readonly hash: string;
}
