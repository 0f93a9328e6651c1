import { z } from "zod";

import { createRegistry, tool } from "../index.ts";
import { defaultHasher } from "../journal/default-ports.ts";
import type { OperatorTerms } from "./tool-registration.ts";
import type { Registry, RegistryOptions, ResolvedTool, SanitizerPort, Tool, ToolSource } from "../index.ts";
import type { RegistryPorts } from "./registry-ports.ts";

/** A sanitizer that only has to exist; registration does not call it. */
const sanitizer: SanitizerPort = {
  inbound: (content) => ({ content, findings: [] }),
  display: (value) => value,
};

/** A tool with every optional field, and the changes of a test. */
export function aTool(changes: Partial<Tool> = {}): Tool {
  return {
    ...tool({
      name: "look_up",
      description: "Looks something up.",
      inputSchema: z.object({ id: z.string() }),
      sideEffectClass: "read-only",
      execute: async ({ id }) => ({ id }),
    }),
    ...changes,
  };
}

/** Creates a registry with a sanitizer, and with the options and ports that a test sets. */
export function aRegistry(options: Partial<RegistryOptions> = {}, ports: Partial<RegistryPorts> = {}): Registry {
  return createRegistry({ ...options, ports: { hasher: defaultHasher(), sanitizer, ...ports } });
}

/** Registers one tool and returns its record. */
export function resolved(
  changes: Partial<Tool> = {},
  source?: ToolSource,
  operator?: OperatorTerms,
  ports?: Partial<RegistryPorts>,
): ResolvedTool {
  const registry = aRegistry({}, ports);
  const given = aTool(changes);
  registry.register(given, source, operator);
  return registry.get(given.name) as ResolvedTool;
}

/** One source of each kind. */
export const sources: Readonly<
  Record<"builtIn" | "firstParty" | "trustedSkill" | "untrustedSkill" | "mcp" | "webSearch", ToolSource>
> = {
  builtIn: { kind: "built-in", subsystem: "memory" },
  firstParty: { kind: "first-party" },
  trustedSkill: { kind: "skill", skillName: "charts", trustLevel: "trusted" },
  untrustedSkill: { kind: "skill", skillName: "found", trustLevel: "untrusted" },
  mcp: { kind: "mcp", serverIdentity: "tracker" },
  webSearch: { kind: "web-search", providerName: "finder" },
};
