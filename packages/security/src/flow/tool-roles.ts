import type { Principal, ResolvedTool } from "@bailiwick/core";

import { egressPathsOf, isFetchable, isUrl, namesMember } from "./egress.ts";
import { isWithin, normalPath, segment, stepsOf } from "./leaves.ts";
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
  readonly declared: readonly { readonly path: string; readonly role: Role }[];
  /** The outer object of the arguments. */
  readonly place: ArgumentPlace;
}

/** A place in a tool's arguments: its role is worked out when a call first has something there. */
export interface ArgumentPlace {
  readonly path: string;
  readonly role: Role;
  readonly declared: boolean;
  /** The member's name is itself data that says where bytes go. */
  readonly nameSends: boolean;
  readonly members: Map<string, ArgumentPlace>;
  items: ArgumentPlace | undefined;
}

/** Names of members that are remembered at one place; a model that makes up names may not fill the memory. */
const membersKept = 256;

/** Sources whose definitions, schemas included, are the developer's or operator's own words. */
const ownVoices: ReadonlySet<ResolvedTool["__trustClass"]> = new Set([
  "first-party-user-defined",
  "first-party-built-in",
  "skill-trusted",
]);

/** Whether what a tool's definition says is the developer's or operator's own choice. */
export function isOwnVoice(tool: ResolvedTool): boolean {
  return ownVoices.has(tool.__trustClass);
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
  const rolesWithoutPlace = {
    writer: tool.__isWriter,
    pure,
    remoteRead: !tool.__isWriter && !pure && isRemote(tool),
    declaresAuthority: Boolean(flow?.authority?.length),
    declaresEgress: Boolean(flow?.egress?.length),
    egressBySchema: bySchema.length > 0,
    source: sourceOf(tool),
    declared,
  };
  return { ...rolesWithoutPlace, place: placeAt(tool, rolesWithoutPlace, "") };
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
  const leaves: ArgumentLeaf[] = [];
  collect({ tool, roles, leaves }, args, roles.place, "");
  return leaves;
}

interface Collecting {
  readonly tool: ResolvedTool;
  readonly roles: ToolRoles;
  readonly leaves: ArgumentLeaf[];
}

function collect(collecting: Collecting, value: unknown, place: ArgumentPlace, location: string): void {
  if (Array.isArray(value) && value.length > 0) {
    const { tool, roles } = collecting;
    const each = (place.items ??= placeAt(tool, roles, `${place.path}[]`));
    for (let index = 0; index < value.length; index += 1)
      collect(collecting, value[index], each, `${location}[${index}]`);
    return;
  }
  if (typeof value === "object" && value !== null) {
    const keys = Object.keys(value);
    for (const key of keys) {
      const member = memberOf(collecting, place, key);
      let inside = member.path;
      // Outside of arrays a place and its path are written the same.
      if (location !== place.path) inside = segment(location, key);
      if (member.nameSends)
        collecting.leaves.push({ path: member.path, location: inside, value: key, role: "egress", declared: false });
      collect(collecting, (value as Record<string, unknown>)[key], member, inside);
    }
    if (keys.length > 0) return;
  }
  const { path, role, declared } = place;
  // [flow.r5] A value that is a URL decides where bytes go, whatever its argument is called.
  const sends =
    role !== "egress" && !collecting.roles.pure && (isUrl(value) || (role !== "payload" && isFetchable(value)));
  collecting.leaves.push(
    sends ? { path, location, value, role: "egress", declared: false } : { path, location, value, role, declared },
  );
}

function memberOf({ tool, roles }: Collecting, place: ArgumentPlace, key: string): ArgumentPlace {
  let member = place.members.get(key);
  if (member === undefined) {
    const made = placeAt(tool, roles, segment(place.path, key));
    // [flow.r5.names] Below an egress argument, or where it is a URL, a name decides where bytes go as a value does.
    const sends = place.role === "egress" || isUrl(key) || (made.role !== "payload" && isFetchable(key));
    const isData = sends && !roles.pure && !namesMember(tool.__inputJsonSchema, stepsOf(place.path)!, key);
    member = { ...made, nameSends: isData };
    // Only speed: what is not remembered is worked out again.
    if (place.members.size < membersKept) place.members.set(key, member);
  }
  return member;
}

/** The role that the longest declared path gives; an unlisted argument of a writer is authority. */
function placeAt(tool: ResolvedTool, roles: Pick<ToolRoles, "declared" | "writer">, path: string): ArgumentPlace {
  let best: { readonly path: string; readonly role: Role } | undefined;
  for (const entry of roles.declared) {
    if (!isWithin(path, entry.path)) continue;
    // A later entry wins over an equal one: egress over authority over payload.
    if (best === undefined || entry.path.length >= best.path.length) best = entry;
  }
  const role = best?.role ?? (roles.writer ? "authority" : "free");
  const named = role === "egress" ? tool.flow?.egress : tool.flow?.authority;
  const declared = best !== undefined && (named ?? []).some((one) => normalPath(one) === best.path);
  return { path, role, declared, nameSends: false, members: new Map(), items: undefined };
}
