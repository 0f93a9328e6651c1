import type { FlowMode, FlowOptions, ResolvedTool } from "@bailiwick/core";

import type { ArgumentLeaf } from "./argument-leaves.ts";
import type { Trust } from "./lattice.ts";
import type { ToolRoles } from "./tool-roles.ts";

/**
 * How the rules bind at a call: `open` calls are reads without a sink (R1); at `gated` ones the rules bind; at `assumed`
 * ones they are decided and recorded only.
 */
export type Sink = "open" | "gated" | "assumed";

/** The mode of the rules; `auto` where nothing is said. */
export function modeOf(options: FlowOptions): FlowMode {
  return options.mode ?? "auto";
}

/** Whether a tool's effect is only assumed: it says nothing, and counts as a writer for it. */
export function isAssumed(tool: ResolvedTool): boolean {
  return !tool.__effectDeclared;
}

/** [flow.mode.auto] [flow.mode.enforce] Which calls are gated, by mode. */
export function sinkOf(
  tool: ResolvedTool,
  roles: ToolRoles,
  leaves: readonly ArgumentLeaf[],
  options: FlowOptions,
  integrity: Trust,
): Sink {
  const egress = leaves.some((leaf) => leaf.role === "egress");
  if (!roles.writer) {
    if (roles.declaresAuthority || roles.remoteRead || egress) return "gated";
    return "open";
  }
  if (tool.__effectDeclared || modeOf(options) === "enforce") return "gated";
  if (roles.declaresAuthority || egress) return "gated";
  const undeclared = tool.flow?.undeclared ?? options.undeclared;
  if (undeclared !== undefined) return undeclared === "gate" ? "gated" : "assumed";
  // [flow.mode.auto.label] A source that is known to be untrusted was read, whatever brought it into this run.
  return integrity === "untrusted" ? "gated" : "assumed";
}
