import type { Tool } from "../contracts/tool.ts";

/** Annotations of a server about its tool; the names are those of the Model Context Protocol. */
export interface ServedAnnotations {
  /** The server states that the tool changes nothing. Used only with `trustAnnotations`. */
  readonly readOnlyHint?: boolean | undefined;
  /** The server states that the tool may delete or overwrite something. */
  readonly destructiveHint?: boolean | undefined;
  /** The server states that a repeated call with the same arguments has no further effect. */
  readonly idempotentHint?: boolean | undefined;
  /** The server states that the tool reaches systems outside the server. */
  readonly openWorldHint?: boolean | undefined;
}

/** A tool as a server lists it. */
export interface ServedTool {
  /** The definition, with an `execute` that calls the server. */
  readonly tool: Tool;
  /** The server's own statements about the tool. Ignored unless `trustAnnotations` is set. */
  readonly annotations?: ServedAnnotations | undefined;
}
