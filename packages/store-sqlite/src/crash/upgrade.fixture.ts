import type { Tool } from "@bailiwick/core";
import { z } from "zod";

/** Changes in the next version of the code to the tool that was running when its process died, and to what is around it. */
const upgrades = [
  "nothing",
  "key added",
  "key removed",
  "key changed",
  "class changed",
  "became a writer",
  "became a writer with a key",
  "schema changed",
  "field added",
  "description changed",
  "gate added",
  "tool renamed",
  "tool renamed, with workers",
  "agent renamed",
  "a model that answers otherwise",
] as const;

/** One change between two versions. */
export type Upgrade = (typeof upgrades)[number];

/** The tool in its next version. */
export function upgradedTool(tool: Tool, upgrade: Upgrade): Tool {
  const { idempotencyKey: _key, lookup: _lookup, ...keyless } = tool;
  switch (upgrade) {
    case "key added":
      return { ...tool, idempotencyKey: tool.idempotencyKey ?? "call" };
    case "key removed":
      return keyless;
    case "key changed":
      return tool.idempotencyKey === undefined ? tool : { ...tool, idempotencyKey: () => "another key" };
    case "class changed":
      return { ...keyless, sideEffectClass: "read-only" };
    case "became a writer":
      return { ...keyless, sideEffectClass: "external-stateful" };
    case "became a writer with a key":
      return { ...keyless, sideEffectClass: "external-stateful", idempotencyKey: "call" };
    case "schema changed":
      return { ...tool, inputSchema: z.object({ order: z.string().transform((order) => `#${order}`) }) };
    case "field added":
      return { ...tool, inputSchema: z.object({ order: z.string(), note: z.string().optional() }) };
    case "description changed":
      return { ...tool, description: "Acts in the world, once." };
    case "gate added":
      return { ...tool, needsApproval: true };
    case "tool renamed":
    case "tool renamed, with workers":
      return { ...tool, name: "act_now" };
    default:
      return tool;
  }
}
