import type { HostedTool, Warning } from "@bailiwick/core/provider";

/** A function declaration in the vendor's form. */
export interface PreparedTool {
  readonly declaration: Readonly<Record<string, unknown>>;
  readonly strict: boolean;
  readonly warnings: readonly Warning[];
}

/** The tools of a request, in the caller's order, so that the vendor's cache of the prefix is hit. */
export interface PreparedTools {
  readonly functions: readonly PreparedTool[];
  readonly hosted: readonly HostedTool[];
  readonly warnings: readonly Warning[];
  /** Registered name of a name on the wire. */
  readonly readName: (wireName: string) => string;
  /** The parsed arguments of a call; `undefined` if the text is not JSON. */
  readonly readInput: (text: string) => { readonly input?: unknown };
}
