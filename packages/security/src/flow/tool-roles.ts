import type { Principal, ResolvedTool } from "@bailiwick/core";

import { egressPathsOf, isUrl } from "./egress.ts";
import { isWithin, leavesOf, normalPath } from "./leaves.ts";
import type { Leaf } from "./leaves.ts";

/** What an argument decides: where bytes go, what happens to whom, content, or nothing that matters to the rules. */
export type Role = "egress" | "authority" | "payload" | "free";

/** A leaf of a call's arguments with its role. */
export interface ArgumentLeaf extends Leaf {
  readonly role: Role;
  /** The author or operator named it in `flow.authority` or `flow.egress`. */
  readonly declared: boolean;
}

/** What the rules read of a tool; worked out once. */
export interface ToolRoles {
  readonly writer: boolean;
  /** A pure tool has no sink: it only computes. */
  readonly pure: boolean;
  /** [flow.r5.mcp-and-search] A read that leaves for a server or a search provider with its arguments. */
  readonly remoteRead: boolean;
  readonly declaresAuthority: boolean;
  readonly declaresEgress: boolean;
  readonly egressBySchema: boolean;
  /** Where it came from, as a principal. */
  readonly source: Principal;
  /** Role of each path met so far. */
  readonly rolesByPath: Map<string, { readonly role: Role; readonly declared: boolean }>;
  readonly declared: readonly { readonly path: string; readonly role: Role }[];
}

const known = new WeakMap<ResolvedTool, ToolRoles>();

/** What the rules read of a tool. */
export function rolesOf(tool: ResolvedTool): ToolRoles {
  let roles = known.get(tool);
  if (roles === undefined) known.set(tool, (roles = workOut(tool)));
  return roles;
}

function workOut(tool: ResolvedTool): ToolRoles {
  const { flow } = tool;
  const pure = tool.__sideEffectClass === "pure";
  const bySchema = pure ? [] : egressPathsOf(tool.__inputJsonSchema);
  const declared = [
    ...(flow?.payload ?? []).map((path) => ({ path: normalPath(path), role: "payload" as const })),
    ...(flow?.authority ?? []).map((path) => ({ path: normalPath(path), role: "authority" as const })),
    ...bySchema.map((path) => ({ path, role: "egress" as const })),
    ...(flow?.egress ?? []).map((path) => ({ path: normalPath(path), role: "egress" as const })),
  ];
  return {
    writer: tool.__isWriter,
    pure,
    remoteRead: !tool.__isWriter && !pure && isRemote(tool),
    declaresAuthority: (flow?.authority?.length ?? 0) > 0,
    declaresEgress: (flow?.egress?.length ?? 0) > 0,
    egressBySchema: bySchema.length > 0,
    source: sourceOf(tool),
    rolesByPath: new Map(),
    declared,
  };
}

function isRemote(tool: ResolvedTool): boolean {
  return tool.__source.kind === "mcp" || tool.__source.kind === "web-search";
}

/** A tool's source as a principal. First-party tools share one: what one of them stored, another may read. */
export function sourceOf(tool: ResolvedTool): Principal {
  const source = tool.__source;
  switch (source.kind) {
    case "mcp":
      return `source:mcp:${source.serverIdentity}`;
    case "skill":
      return `source:skill:${source.skillName}`;
    case "web-search":
      return `source:web-search:${source.providerName}`;
    default:
      return "source:first-party";
  }
}

/** The leaves of a call's arguments, each with its role. */
export function argumentLeaves(tool: ResolvedTool, roles: ToolRoles, args: unknown): readonly ArgumentLeaf[] {
  return leavesOf(args).map((leaf) => {
    let found = roles.rolesByPath.get(leaf.path);
    if (found === undefined) roles.rolesByPath.set(leaf.path, (found = staticRole(tool, roles, leaf.path)));
    // [flow.r5] A value that is a URL decides where bytes go, whatever its argument is called.
    const { role, declared } = !roles.pure && found.role !== "egress" && isUrl(leaf.value) ? urlValue : found;
    return { path: leaf.path, location: leaf.location, value: leaf.value, role, declared };
  });
}

const urlValue = { role: "egress", declared: false } as const;

/** The role that the longest declared path gives; an unlisted argument of a writer is authority. */
function staticRole(
  tool: ResolvedTool,
  roles: ToolRoles,
  path: string,
): { readonly role: Role; readonly declared: boolean } {
  let best: { readonly path: string; readonly role: Role } | undefined;
  for (const entry of roles.declared) {
    if (!isWithin(path, entry.path)) continue;
    // A later entry wins over an equal one: egress over authority over payload.
    if (best === undefined || entry.path.length >= best.path.length) best = entry;
  }
  if (best === undefined) return { role: roles.writer ? "authority" : "free", declared: false };
  const named =
    best.role === "egress" ? (tool.flow?.egress ?? []) : best.role === "authority" ? (tool.flow?.authority ?? []) : [];
  return { role: best.role, declared: named.some((one) => normalPath(one) === best.path) };
}
