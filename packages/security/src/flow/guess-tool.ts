import type { JsonSchema, ResolvedTool } from "@bailiwick/core";

import { admitsText, followReference, isSchema } from "./egress-arguments.ts";
import { segment } from "./paths.ts";
import { isOwnVoice, sourceOf } from "./tool-source.ts";
import { guessGrave, guessOutward, namesContent, namesPayload } from "./guess-arguments.ts";
import { guessEffect, sharedPrefixes } from "./guess-effect.ts";
import type { GuessedEffect } from "./guess-effect.ts";

/** Guess about one argument of a tool. */
interface GuessedArgument {
  /** With `[]` for the items of an array. */
  readonly path: string;
  /** `payload` is content that the model may write; `decides` arguments say what happens to whom. */
  readonly role: "decides" | "payload";
  /** An argument has the id or path of content that the call sends. */
  readonly namesContent: boolean;
}

/** All guesses about one tool. */
export interface ToolGuess extends GuessedEffect {
  /** The call reaches others. */
  readonly outward: boolean;
  /** The call is about money, access or destruction. */
  readonly grave: boolean;
  readonly arguments: readonly GuessedArgument[];
}

/** Guess about one tool, from its name, description and input schema alone. */
type GuessedFrom = Pick<ResolvedTool, "name" | "description" | "__inputJsonSchema" | "__trustClass">;

const noPrefixes: ReadonlySet<string> = new Set();

/**
 * Guesses the effect of a tool that declares nothing.
 *
 * @param prefixes - Prefixes that the names of its source share; see `sharedPrefixes`.
 */
export function guessTool(tool: GuessedFrom, prefixes: ReadonlySet<string> = noPrefixes): ToolGuess {
  const paths = argumentPaths(tool.__inputJsonSchema);
  const names = paths.map(({ name }) => name);
  const outward = guessOutward(tool.name, names);
  return {
    // A name that a server chose loosens nothing.
    ...(isOwnVoice(tool)
      ? guessEffect(tool, prefixes, names)
      : { effect: "writer", why: "a server's own names and descriptions prove nothing" }),
    outward,
    grave: guessGrave(tool.name, names),
    arguments: paths.map(({ path, name, isText }) => ({
      path,
      role: isText && namesPayload(name) ? "payload" : "decides",
      namesContent: outward && namesContent(name, tool.name),
    })),
  };
}

/** One leaf of an input schema. */
interface Argument {
  readonly path: string;
  readonly name: string;
  /** It may have any text: a choice, a number or a yes decides, whatever its name. */
  readonly isText: boolean;
}

/** The leaves of an input schema, with the name of the member that each belongs to. */
function argumentPaths(root: JsonSchema): readonly Argument[] {
  const found = new Map<string, Argument>();
  const open = new Set<JsonSchema>();
  const visit = (position: unknown, path: string, name: string): void => {
    if (!isSchema(position) || open.has(position)) return;
    open.add(position);
    const { $ref: reference, properties, items } = position;
    const parts = ["anyOf", "oneOf", "allOf"].flatMap((keyword) => (position[keyword] ?? []) as readonly unknown[]);
    if (typeof reference === "string") visit(followReference(reference, root), path, name);
    for (const part of parts) visit(part, path, name);
    if (isSchema(properties))
      for (const [key, member] of Object.entries(properties)) visit(member, segment(path, key), key);
    if (isSchema(items)) visit(items, `${path}[]`, name);
    const isLeaf = !isSchema(properties) && !isSchema(items) && parts.length === 0 && typeof reference !== "string";
    const isClosed = position["enum"] !== undefined || position["const"] !== undefined || !admitsText(position);
    if (isLeaf && path !== "") found.set(path, { path, name, isText: !isClosed || found.get(path)?.isText === true });
    open.delete(position);
  };
  visit(root, "", "");
  return [...found.values()];
}

const known = new WeakMap<readonly ResolvedTool[], ReadonlyMap<ResolvedTool, ToolGuess>>();

/** Guesses about all tools of an agent; a prefix counts if tools of one source share it. */
export function guessTools(tools: readonly ResolvedTool[]): ReadonlyMap<ResolvedTool, ToolGuess> {
  let guesses = known.get(tools);
  // A cache: the list seldom changes.
  if (guesses === undefined) known.set(tools, (guesses = workOut(tools)));
  return guesses;
}

function workOut(tools: readonly ResolvedTool[]): ReadonlyMap<ResolvedTool, ToolGuess> {
  const names = new Map<string, string[]>();
  for (const tool of tools) names.set(sourceOf(tool), [...(names.get(sourceOf(tool)) ?? []), tool.name]);
  const prefixes = new Map([...names].map(([source, own]) => [source, sharedPrefixes(own)]));
  return new Map(tools.map((tool) => [tool, guessTool(tool, prefixes.get(sourceOf(tool)))]));
}
