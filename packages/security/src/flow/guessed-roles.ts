import type { FlowOptions, ResolvedTool } from "@bailiwick/core";

import { guessTool, guessTools } from "./guess-tool.ts";
import { undeclaredOf } from "./sinks.ts";
import { rolesOf } from "./tool-roles.ts";
import type { ToolRoles } from "./tool-roles.ts";

/** The roles of a tool in a run: a guess loosens them only in the mode that guesses. */
export function rolesIn(tools: readonly ResolvedTool[], tool: ResolvedTool, options: FlowOptions): ToolRoles {
  const guess = guessTools(tools).get(tool) ?? guessAlone(tool);
  return rolesOf(tool, { guess, loosens: undeclaredOf(tool, options) === "guess" });
}

/**
 * The roles of a tool for a run's decisions. A call of a pure tool that declares no roles is a read without a sink, so no
 * rule reads a guess about it.
 */
export function rolesToDecide(
  tools: () => readonly ResolvedTool[],
  tool: ResolvedTool,
  options: FlowOptions,
): ToolRoles {
  const isOpen = tool.__sideEffectClass === "pure" && tool.flow === undefined;
  return isOpen ? rolesOf(tool) : rolesIn(tools(), tool, options);
}

const alone = new WeakMap<ResolvedTool, ReturnType<typeof guessTool>>();

/** A tool that is no longer listed, such as one of a server that was removed. */
function guessAlone(tool: ResolvedTool): ReturnType<typeof guessTool> {
  let guess = alone.get(tool);
  // A cache: a guess is the same each time.
  if (guess === undefined) alone.set(tool, (guess = guessTool(tool)));
  return guess;
}
