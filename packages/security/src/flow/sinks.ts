import type { FlowMode, FlowOptions, ResolvedTool } from "@bailiwick/core";

import type { ArgumentLeaf } from "./argument-leaves.ts";
import type { ToolRoles } from "./tool-roles.ts";

/**
 * Treatment of a call: `open` calls are reads without a sink (R1); for `gated` calls the rules are enforced; for
 * `assumed` calls the decision is only recorded.
 */
export type Sink = "open" | "gated" | "assumed";

/** The mode of the rules; `auto` by default. */
export function modeOf(options: FlowOptions): FlowMode {
  return options.mode ?? "auto";
}

/** True if a tool's effect is only assumed: it declares none, and counts as a writer because of that. */
export function isAssumed(tool: ResolvedTool): boolean {
  return !tool.__effectDeclared;
}

/** The treatment of a tool without a declared effect. */
export function undeclaredOf(tool: Pick<ResolvedTool, "flow">, options: FlowOptions): "guess" | "gate" | "shadow" {
  // [flow.mode.enforce] This mode does not guess.
  if (modeOf(options) === "enforce") return "gate";
  return tool.flow?.undeclared ?? options.undeclared ?? "guess";
}

/** [flow.mode.auto] [flow.mode.enforce] Which calls are gated, by mode. */
export function sinkOf(
  tool: ResolvedTool,
  roles: ToolRoles,
  leaves: readonly ArgumentLeaf[],
  options: FlowOptions,
): Sink {
  const egress = leaves.some((leaf) => leaf.role === "egress");
  if (!roles.writer) {
    if (roles.declaresAuthority || roles.remoteRead || egress) return "gated";
    return "open";
  }
  if (tool.__effectDeclared) return "gated";
  if (roles.declaresAuthority || egress) return "gated";
  const undeclared = undeclaredOf(tool, options);
  if (undeclared === "guess" && isGatedInside(tool)) return "assumed";
  return undeclared === "shadow" ? "assumed" : "gated";
}

/** The call of an agent or a program of this framework: the calls inside are gated. */
function isGatedInside({ composition }: ResolvedTool): boolean {
  return (composition as { readonly gated?: boolean } | undefined)?.gated === true;
}
