import type { FunctionToolDefinition } from "../contracts/model-provider.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";
import type { SecretsPort, SecurityPorts } from "../contracts/ports/security.ts";
import type { ResolvedTool } from "../contracts/resolved-tool.ts";
import type { RunContext } from "../contracts/run-context.ts";
import type { AgentOptions } from "../contracts/run-options.ts";
import type { Tool } from "../contracts/tool.ts";
import { DuplicateToolNameError, UnknownToolNameError } from "../errors/configuration-errors.ts";
import type { Catalogue } from "../registry/catalogue.ts";
import { nearestNames } from "../registry/nearest-names.ts";
import { resolveTool } from "../registry/resolve-tool.ts";

export interface ToolRegistry {
  readonly staticTools: readonly ResolvedTool[];
  catalogueFor(ctx: RunContext): Promise<Catalogue>;
}

export function createToolRegistry(given: { options: AgentOptions; ports: SecurityPorts; secrets: SecretsPort | undefined; hasher: Hasher }): ToolRegistry {
  const { options, ports, secrets, hasher } = given;
  const resolve = (tool: Tool): ResolvedTool =>
    resolveTool(tool, undefined, { ports: { hasher, secrets, sanitizer: ports.sanitizer, sandbox: ports.sandbox, hasMemory: options.memory !== undefined } });
  const { tools } = options;
  const staticTools = typeof tools === "function" ? [] : (tools ?? []).map(resolve);
  checkNames(staticTools);
  return {
    staticTools,
    async catalogueFor(ctx) {
      const all = typeof tools === "function" ? (await tools(ctx)).map(resolve) : staticTools;
      const enabled: ResolvedTool[] = [];
      for (const tool of all) if (typeof tool.isEnabled === "function" ? await tool.isEnabled(ctx) : tool.isEnabled !== false) enabled.push(tool);
      return catalogue(enabled, hasher);
    },
  };
}

function checkNames(tools: readonly Tool[]): void {
  const seen = new Set<string>();
  for (const { name } of tools) {
    if (seen.has(name)) throw new DuplicateToolNameError(name);
    seen.add(name);
  }
}

export function catalogue(tools: readonly ResolvedTool[], hasher: Hasher): Catalogue {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const advertised: readonly FunctionToolDefinition[] = tools.map((tool) => ({
    type: "function",
    name: tool.name,
    description: tool.__advertisedDescription,
    inputSchema: tool.__inputJsonSchema,
    strict: tool.strict,
  }));
  return {
    get: (name) => byName.get(name),
    tools,
    advertised: () => advertised,
    isCallable: (name) => byName.has(name),
    promote: () => [],
    resolveName(name) {
      if (byName.has(name)) return name;
      throw new UnknownToolNameError(name, `No tool is named "${name}". Nearest: ${nearestNames(name, byName.keys()).join(", ")}.`);
    },
    nearest: (name, limit) => nearestNames(name, byName.keys(), limit),
    hash: hasher.sha256(tools.map((tool) => tool.__definitionHash).join("\n")),
  };
}
