import type { HostedTool, JsonSchema } from "@bailiwick/core/provider";
import type { EnforcedSchema } from "./schema.ts";

/** A function in the vendor's form, before the decision whether its schema is enforced. */
export interface PreparedTool {
  readonly name: string;
  /** The name as the agent knows it. */
  readonly registeredName: string;
  readonly description: string;
  readonly schema: JsonSchema;
  /** The tool's own names of arguments whose names the vendor refuses, by their sent names. */
  readonly ownNames: ReadonlyMap<string, string>;
  /** The schema to enforce, if enforcement is on. */
  readonly enforced: EnforcedSchema | undefined;
}

/** The tools of a request, in the caller's order, so that the vendor's cache of the prefix is hit. */
export interface PreparedTools {
  readonly functions: readonly PreparedTool[];
  readonly hosted: readonly HostedTool[];
  /** Registered name of a name on the wire. */
  readonly readName: (wireName: string) => string;
  /** The parsed arguments of a call under the tool's own names; `undefined` if the text is not JSON. */
  readonly readInput: (name: string, text: string) => { readonly input?: unknown };
}
