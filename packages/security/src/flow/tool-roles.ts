import type { Principal, ResolvedTool } from "@bailiwick/core";

import { egressPathsOf } from "./egress-arguments.ts";
import type { ToolGuess } from "./guess-tool.ts";
import { isOwnVoice, sourceOf } from "./tool-source.ts";
import { isWithin, normalPath } from "./paths.ts";

/** Role of an argument: destination, authority, content, or irrelevant to the rules. */
export type Role = "egress" | "authority" | "payload" | "free";

/** Facts of a tool for the rules, computed once. */
export interface ToolRoles {
  readonly writer: boolean;
  /** A pure tool has no sink: it only computes. */
  readonly pure: boolean;
  /** True if the tool declares no effect, and its name makes it a reader. */
  readonly guessedReader: boolean;
  /** True if the tool declares no effect, and its name indicates that calls reach other people. */
  readonly outward: boolean;
  /** [flow.guess.grave] Calls are about money, access or destruction. */
  readonly grave: boolean;
  /** Paths of arguments with the id or path of content that a call sends. */
  readonly contentPaths: readonly string[];
  /** A read that leaves for a server or a search provider with its arguments [flow.r5.mcp-and-search]. */
  readonly remoteRead: boolean;
  readonly declaresAuthority: boolean;
  readonly declaresEgress: boolean;
  readonly egressBySchema: boolean;
  /** Its source, as a principal. */
  readonly source: Principal;
  readonly declared: readonly { readonly path: string; readonly role: Role }[];
  /** The outer object of the arguments. */
  readonly place: ArgumentPlace;
}

/** A place in a tool's arguments: its role is computed when a call first has a value there. */
export interface ArgumentPlace {
  readonly path: string;
  readonly role: Role;
  readonly declared: boolean;
  /** The member's name is itself data that decides where bytes go. */
  readonly nameSends: boolean;
  readonly members: Map<string, ArgumentPlace>;
  items: ArgumentPlace | undefined;
}

/** Limits of a guess about a tool. */
export interface GuessUse {
  readonly guess: ToolGuess;
  /** True if it may loosen the rules: make a tool a reader, or an argument content. Otherwise it only tightens them. */
  readonly loosens: boolean;
}

const known = new WeakMap<ResolvedTool, ToolRoles>();
const guessed = new WeakMap<ToolGuess, [tight?: ToolRoles, loose?: ToolRoles]>();

/** Facts of a tool for the rules. */
export function rolesOf(tool: ResolvedTool, use?: GuessUse): ToolRoles {
  if (use === undefined) {
    let roles = known.get(tool);
    if (roles === undefined) known.set(tool, (roles = workOut(tool, undefined)));
    return roles;
  }
  const found = guessed.get(use.guess) ?? [];
  guessed.set(use.guess, found);
  return (found[use.loosens ? 1 : 0] ??= workOut(tool, use));
}

function workOut(tool: ResolvedTool, use: GuessUse | undefined): ToolRoles {
  const { flow } = tool;
  const pure = tool.__sideEffectClass === "pure";
  const bySchema = pure ? [] : egressPathsOf(tool.__inputJsonSchema);
  const effect = effectOf(tool, use);
  const rolesWithoutPlace = {
    ...effect,
    pure,
    grave: flow?.grave ?? use?.guess.grave ?? false,
    contentPaths: (use?.guess.arguments ?? []).flatMap(({ path, namesContent }) => (namesContent ? [path] : [])),
    remoteRead: !effect.writer && !pure && isRemote(tool),
    declaresAuthority: Boolean(flow?.authority?.length),
    declaresEgress: Boolean(flow?.egress?.length),
    egressBySchema: bySchema.length > 0,
    source: sourceOf(tool),
    declared: declaredPlaces(tool, use, bySchema),
  };
  return { ...rolesWithoutPlace, place: placeAt(tool, rolesWithoutPlace, "") };
}

/** The effect of a tool: the declared one, or the guessed one where its author declares none. */
function effectOf(
  tool: ResolvedTool,
  use: GuessUse | undefined,
): Pick<ToolRoles, "writer" | "guessedReader" | "outward"> {
  const guess = tool.__effectDeclared ? undefined : use?.guess;
  const guessedReader = use?.loosens === true && guess?.effect === "reader";
  return { writer: tool.__isWriter && !guessedReader, guessedReader, outward: guess?.outward === true };
}

/** The declared places of arguments: a later entry wins over an equal one. */
function declaredPlaces(
  tool: ResolvedTool,
  use: GuessUse | undefined,
  bySchema: readonly string[],
): ToolRoles["declared"] {
  const { payload, authority, egress } = tool.flow ?? {};
  // [flow.authority.none] An empty list says that no argument decides: what a mail may choose is harmless.
  const isHarmless = authority?.length === 0 && payload === undefined;
  return [
    ...declaredAs("payload", isHarmless ? [""] : []),
    ...(use === undefined ? [] : guessedPayload(tool, use)),
    ...declaredAs("payload", payload),
    ...declaredAs("authority", authority),
    ...declaredAs("egress", bySchema),
    ...declaredAs("egress", egress),
  ];
}

function declaredAs(role: Role, paths: readonly string[] = []): ToolRoles["declared"] {
  return paths.map((path) => ({ path: normalPath(path), role }));
}

/** [flow.guess.payload] Content by its name, if the author declares nothing about the arguments. */
function guessedPayload(tool: ResolvedTool, { guess, loosens }: GuessUse): ToolRoles["declared"] {
  const { authority, payload } = tool.flow ?? {};
  if (!loosens || authority !== undefined || payload !== undefined || !isOwnVoice(tool)) return [];
  return guess.arguments.flatMap(({ path, role }) => (role === "payload" ? [{ path, role } as const] : []));
}

function isRemote(tool: ResolvedTool): boolean {
  return tool.__source.kind === "mcp" || tool.__source.kind === "web-search";
}

/** The role that the longest declared path gives; an unlisted argument of a writer is authority. */
export function placeAt(
  tool: ResolvedTool,
  roles: Pick<ToolRoles, "declared" | "writer">,
  path: string,
): ArgumentPlace {
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
