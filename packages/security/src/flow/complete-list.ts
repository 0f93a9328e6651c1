import { leavesOf } from "./leaves.ts";
import type { Step } from "./paths.ts";

/** Names of members that say that a list continues. */
const continues = /^(?:next|has_?more|more|truncated|.*(?:cursor|page_?token|next_?page))$/iu;

/** Names of members that say how many records there are on all pages. */
const totals = /^total(?:_?(?:count|items|results|records|rows|size|elements|hits))?$/iu;

/** Number of rows from which on a list may have been cut: the default limit of a vector store. */
const shortestPage = 4;

/** Signs of an output, outside of the rows of its lists, that say if a list is whole. */
interface Signs {
  continues: boolean;
  ends: boolean;
  readonly totals: number[];
}

/** Facts about the lists of an output. */
export interface KnownLists {
  /** The path whose lists count; default all lists. */
  readonly steps?: readonly Step[] | undefined;
  /** Maximum number of rows of a list, as its tool declares. */
  readonly maxRows?: number | undefined;
}

/**
 * [grants.whole-list] Tells if the lists of an output are whole, so that a flood of records displaced none. A list is
 * whole if the output says that no page follows, or has a total that is the list's length. Without such a sign it is
 * whole if it has fewer rows than the tool's maximum, and fewer than each number among the arguments.
 */
export function isComplete(output: unknown, args: unknown, known: KnownLists = {}): boolean {
  const { steps, maxRows = shortestPage } = known;
  const signs: Signs = { continues: false, ends: false, totals: [] };
  readSigns(output, signs);
  if (signs.continues) return false;
  const limits = leavesOf(args ?? null).flatMap(({ value }) => {
    const limit = typeof value === "string" ? Number(value) : value;
    return typeof limit === "number" && limit > 0 ? [limit] : [];
  });
  return (steps === undefined ? allLists(output) : listsOn(output, steps)).every(({ length }) => {
    if (signs.totals.length > 0) return signs.totals.includes(length);
    return signs.ends || length === 0 || [maxRows, ...limits].every((limit) => length < limit);
  });
}

/** Members of rows do not count as signs: the authors of the rows chose them. */
function readSigns(value: unknown, signs: Signs): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (continues.test(name)) {
      if (isSaid(member)) signs.continues = true;
      else signs.ends = true;
    } else if (totals.test(name) && Number.isInteger(member)) signs.totals.push(member as number);
    else readSigns(member, signs);
  }
}

function isSaid(member: unknown): boolean {
  return member !== undefined && member !== null && member !== false && member !== "";
}

type List = readonly unknown[];

function allLists(value: unknown): readonly List[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(allLists);
  return Array.isArray(value) ? [value, ...inside] : inside;
}

/** The lists along a path. */
function listsOn(output: unknown, steps: readonly Step[]): readonly List[] {
  const lists: List[] = [];
  let held: readonly unknown[] = [output];
  for (const step of steps) {
    held = held.flatMap((value): readonly unknown[] => {
      if (typeof step !== "string") {
        if (!Array.isArray(value)) return [];
        lists.push(value);
        return value;
      }
      return typeof value === "object" && value !== null && Object.hasOwn(value, step)
        ? [(value as Readonly<Record<string, unknown>>)[step]]
        : [];
    });
  }
  return lists;
}
