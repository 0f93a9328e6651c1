import type { Tool } from "../contracts/tool.ts";

/** Annotations of a server about its tool; the names are those of the Model Context Protocol. */
export interface ServedAnnotations {
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
}

/** A tool as a server lists it. */
export interface ServedTool {
  readonly tool: Tool;
  readonly annotations?: ServedAnnotations | undefined;
}
