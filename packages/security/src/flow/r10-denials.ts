import type { ResolvedTool } from "@bailiwick/core";
import { canonicalJson } from "@bailiwick/core/extension";

import { argumentLeaves } from "./argument-leaves.ts";
import type { ToolRoles } from "./tool-roles.ts";

/** [flow.r10.stops] Denials of one tool with the same authority arguments after which the run stops. */
export const sameDenials = 3;

/** [flow.r10.stops] Denials since the last user message after which the run stops. */
export const allDenials = 5;

/** Counts refusals, by the policy or by a person. */
export interface Denials {
  denied(tool: ResolvedTool | undefined, toolName: string, args: unknown): void;
  userSpoke(): void;
  /** True if the run has to stop after the refusals so far, or after one more of this call. */
  mustStop(next?: { readonly tool: ResolvedTool; readonly args: unknown }): boolean;
}

/** Finds the declarations of a tool that the rules read. */
type RolesOf = (tool: ResolvedTool) => ToolRoles;

/** Starts counting. */
export function createDenials(roles: RolesOf): Denials {
  return new Count(roles);
}

/** A class, because there is one for every run. */
class Count implements Denials {
  readonly #roles: RolesOf;
  #same: Map<string, number> | undefined;
  #sinceUserSpoke = 0;
  #most = 0;

  constructor(roles: RolesOf) {
    this.#roles = roles;
  }

  denied(tool: ResolvedTool | undefined, toolName: string, args: unknown): void {
    const key = this.#keyOf(tool, toolName, args);
    const count = this.#countOf(key) + 1;
    (this.#same ??= new Map<string, number>()).set(key, count);
    this.#most = Math.max(this.#most, count);
    this.#sinceUserSpoke += 1;
  }

  userSpoke(): void {
    this.#sinceUserSpoke = 0;
  }

  mustStop(next?: { readonly tool: ResolvedTool; readonly args: unknown }): boolean {
    if (next === undefined) return this.#most >= sameDenials || this.#sinceUserSpoke >= allDenials;
    const before = this.#countOf(this.#keyOf(next.tool, next.tool.name, next.args));
    return before + 1 >= sameDenials || this.#sinceUserSpoke + 1 >= allDenials;
  }

  #countOf(key: string): number {
    return this.#same?.get(key) ?? 0;
  }

  /** The same call to the rules: another wording of its payload does not make it another. */
  #keyOf(tool: ResolvedTool | undefined, toolName: string, args: unknown): string {
    if (tool === undefined) return `${toolName}\n${canonicalJson(args ?? null)}`;
    const authority = argumentLeaves(tool, this.#roles(tool), args)
      .filter((leaf) => leaf.role === "authority" || leaf.role === "egress")
      .map((leaf) => [leaf.location, leaf.value]);
    return `${toolName}\n${canonicalJson(authority)}`;
  }
}
