import type { HostedTool, JsonSchema, Warning } from "@bailiwick/core/provider";

/** A function in the common form of both wires. */
export interface PreparedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly strict: boolean;
  readonly warning: Warning | undefined;
}

/** The tools of a request, in the caller's order, so that the vendor's cache of the prefix is hit. */
export interface PreparedTools {
  readonly functions: readonly PreparedTool[];
  readonly hosted: readonly HostedTool[];
  readonly warnings: readonly Warning[];
  /** Registered name of a name on the wire. */
  readonly readName: (wireName: string) => string;
  /** True if a name on the wire is a function of this request. */
  readonly declares: (wireName: string) => boolean;
  /** True if a custom call of this name was run by the server itself. */
  readonly serverRuns: (wireName: string) => boolean;
  /** The parsed arguments of a call, without the nulls of strict mode; `undefined` if the text is not JSON. */
  readonly readInput: (name: string, text: string) => { readonly input?: unknown };
}
