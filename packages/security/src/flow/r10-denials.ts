import type { ResolvedTool } from "@bailiwick/core";
import { canonicalJson } from "@bailiwick/core";

import { argumentLeaves, rolesOf } from "./tool-roles.ts";

/** [flow.r10.stops] Denials of one tool with the same authority arguments after which the run stops. */
export const sameDenials = 3;

/** [flow.r10.stops] Denials since the last user message after which the run stops. */
export const allDenials = 5;

/** Counts what was refused, by the policy or by a person. */
export interface Denials {
  denied(tool: ResolvedTool | undefined, toolName: string, args: unknown): void;
  userSpoke(): void;
  /** Whether the run has to stop after the denials so far, or after one more of this call. */
  mustStop(next?: { readonly tool: ResolvedTool; readonly args: unknown }): boolean;
}

/** Starts counting. */
export function createDenials(): Denials {
  const same = new Map<string, number>();
  let sinceUserSpoke = 0;
  let most = 0;

  const countOf = (key: string): number => same.get(key) ?? 0;

  return {
    denied(tool, toolName, args) {
      const key = denialKey(tool, toolName, args);
      const count = countOf(key) + 1;
      same.set(key, count);
      most = Math.max(most, count);
      sinceUserSpoke += 1;
    },
    userSpoke() {
      sinceUserSpoke = 0;
    },
    mustStop(next) {
      if (next === undefined) return most >= sameDenials || sinceUserSpoke >= allDenials;
      const before = countOf(denialKey(next.tool, next.tool.name, next.args));
      return before + 1 >= sameDenials || sinceUserSpoke + 1 >= allDenials;
    },
  };
}

/** The same call to the rules: another wording of its payload does not make it another. */
function denialKey(tool: ResolvedTool | undefined, toolName: string, args: unknown): string {
  if (tool === undefined) return `${toolName}\n${canonicalJson(args ?? null)}`;
  const authority = argumentLeaves(tool, rolesOf(tool), args)
    .filter((leaf) => leaf.role === "authority" || leaf.role === "egress")
    .map((leaf) => [leaf.location, leaf.value]);
  return `${toolName}\n${canonicalJson(authority)}`;
}
