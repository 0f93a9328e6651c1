import { InvalidMemoryError } from "@bailiwick/core";
import type { MemoryRelation } from "@bailiwick/core";

/** Maximum number of relations of one memory. */
export const mostRelations = 20;

/** Maximum length of a name, in characters. */
export const longestName = 200;

const fields = ["from", "kind", "to"] as const;

/**
 * Refuses relations that no graph can have.
 *
 * @throws InvalidMemoryError
 */
export function checkRelations(relations: readonly MemoryRelation[] | undefined): void {
  if (relations === undefined) return;
  if (!Array.isArray(relations) || relations.length > mostRelations)
    throw new InvalidMemoryError(`its relations are not a list of at most ${mostRelations}`);
  for (const [index, relation] of relations.entries())
    for (const field of fields) {
      const name: unknown = (relation as Partial<MemoryRelation> | null)?.[field];
      if (typeof name !== "string" || name.trim() === "" || name.length > longestName || !name.isWellFormed())
        throw new InvalidMemoryError(
          `relations[${index}].${field} is not a text of 1 to ${longestName} characters. Pass { from, kind, to }`,
        );
    }
}

/** A relation without other members. */
export function plainRelation({ from, kind, to }: MemoryRelation): MemoryRelation {
  return { from: from.trim(), kind: kind.trim(), to: to.trim() };
}
