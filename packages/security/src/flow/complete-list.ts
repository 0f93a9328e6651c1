import { leavesOf } from "./leaves.ts";

/** Names of members that say that a list continues. */
const continues = /^(?:next|has_?more|more|truncated|.*(?:cursor|page_?token|next_?page))$/iu;

/** Lengths at which lists are often cut. */
const roundLengths: ReadonlySet<number> = new Set([5, 10, 20, 25, 30, 40, 50, 75]);

/**
 * [grants.unique] Tells if the lists of an output are complete: none has a cursor, a round number of rows, or as many
 * rows as a number among the arguments. An attacker who floods a list that was cut could leave only his own record in it.
 */
export function isComplete(output: unknown, args: unknown): boolean {
  const limits = new Set(
    leavesOf(args ?? null).flatMap(({ value }) => {
      const limit = typeof value === "string" ? Number(value) : value;
      return typeof limit === "number" && limit > 0 ? [limit] : [];
    }),
  );
  const isWhole = (value: unknown): boolean => {
    if (typeof value !== "object" || value === null) return true;
    if (Array.isArray(value)) {
      const { length } = value;
      const isCut = roundLengths.has(length) || (length > 0 && length % 100 === 0);
      return !isCut && ![...limits].some((limit) => length >= limit) && value.every(isWhole);
    }
    return Object.entries(value).every(
      ([name, member]) => !(continues.test(name) && isSaid(member)) && isWhole(member),
    );
  };
  return isWhole(output);
}

function isSaid(member: unknown): boolean {
  return member !== undefined && member !== null && member !== false && member !== "";
}
