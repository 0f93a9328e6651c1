import type { CollisionStrategy, ToolSource } from "../contracts/vocabularies.ts";
import { ToolCollisionError } from "../errors/configuration-errors.ts";
import { defaultsOf, describeSource, namespaceOf } from "./source-defaults.ts";

/** A tool before it has its final name. */
export interface NamedEntry {
  /** The name that its author chose. */
  readonly name: string;
  readonly source: ToolSource;
}

/** Maximum length of a name; a prefixed name is cut to it. */
export const MAX_NAME: number = 128;

/**
 * Gives every tool its final name. Sources decide which tool keeps a name, then order, so the same tools get the same
 * names every time.
 *
 * @param strategy - `auto-prefix` renames all but the first in rank; `priority` leaves them out; `manual` throws.
 * @returns The entries by final name, in the order of their registration.
 * @throws ToolCollisionError if two sources share a name and the strategy is `manual`.
 */
export function settleNames<Entry extends NamedEntry>(
  entries: readonly Entry[],
  strategy: CollisionStrategy,
): ReadonlyMap<string, Entry> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.name);
    if (group === undefined) groups.set(entry.name, [entry]);
    else group.push(entry);
  }
  const taken = new Set(groups.keys());
  const names = new Map<Entry, string>();
  for (const [name, group] of groups) {
    if (group.length === 1) {
      names.set(group[0] as Entry, name);
      continue;
    }
    if (strategy === "manual") {
      throw new ToolCollisionError(
        name,
        group.map((entry) => describeSource(entry.source)),
        strategy,
      );
    }
    const [first, ...others] = group.toSorted(byRank) as [Entry, ...Entry[]];
    names.set(first, name);
    if (strategy === "priority") continue;
    for (const entry of others) names.set(entry, freeName(qualifiedName(entry), taken));
  }
  const settled = new Map<string, Entry>();
  for (const entry of entries) {
    const name = names.get(entry);
    if (name !== undefined) settled.set(name, entry);
  }
  return settled;
}

/** `<namespace>.<name>`: the full name of a tool. */
export function qualifiedName(entry: NamedEntry): string {
  return `${namespaceOf(entry.source)}.${entry.name}`;
}

/**
 * Highest priority first; a user's own tool comes before a built-in one. Sorting is stable, so order decides the rest.
 */
function byRank(left: NamedEntry, right: NamedEntry): number {
  return rank(right.source) - rank(left.source);
}

function rank(source: ToolSource): number {
  return defaultsOf(source).priority + (source.kind === "first-party" ? 1 : 0);
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted.slice(0, MAX_NAME);
  for (let count = 2; taken.has(name); count += 1) {
    const suffix = `_${count}`;
    name = wanted.slice(0, MAX_NAME - suffix.length) + suffix;
  }
  taken.add(name);
  return name;
}
