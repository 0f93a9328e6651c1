import { defaultHasher } from "@bailiwick/core/extension";
import { resolveTool, tool } from "@bailiwick/core";
import type { OperatorTerms } from "@bailiwick/core/extension";
import type { ResolvedTool, SanitizerPort, Tool, ToolSource } from "@bailiwick/core";

import { createSanitizer } from "../sanitize/create-sanitizer.ts";

const sanitizer: SanitizerPort = createSanitizer();

/** A tool as the rules see it; without `sideEffectClass` it declares nothing. */
export function resolved(options: Partial<Tool> = {}, source?: ToolSource, operator?: OperatorTerms): ResolvedTool {
  const made = tool({
    name: "look",
    description: "Looks.",
    inputSchema: { type: "object" },
    ...(options as object),
    execute: () => "ok",
  });
  return resolveTool(made, source, {
    ports: { hasher: defaultHasher(), sanitizer },
    ...(operator !== undefined && { operator }),
  });
}

/** A server of a third party. */
export const mcpServer: ToolSource = { kind: "mcp", serverIdentity: "tracker" };

/** A search provider. */
export const webSearch: ToolSource = { kind: "web-search", providerName: "acme" };
