import type { ModelRequest, Warning } from "@bailiwick/core/provider";
import type { ModelContext } from "./model-context.ts";
import type { PreparedTools } from "./prepared-tools.ts";

/** Options of reading an answer. */
export interface ReadContext {
  readonly context: ModelContext;
  readonly tools: PreparedTools;
  readonly warnings: readonly Warning[];
  readonly request: ModelRequest;
}
