import type { MemoryEntry } from "../contracts/ports/memories.ts";

/** An entry in its stored form: with its own end, and the end that its successor sets. */
export interface StoredMemory extends MemoryEntry {
  /** Time from which its successor is true. */
  readonly supersededFrom?: number | undefined;
}

/**
 * True if a memory was true at one time, according to what was known at another.
 *
 * @param memory - The stored entry.
 * @param times - `now`; `asOf`, the time in question; `knownAt`, the time of the knowledge. In milliseconds since the
 * epoch. Without `asOf` it is now, by the clock that is ahead, so that entries just written by another machine are
 * seen.
 * @example
 * ```ts
 * import { isTrueAt } from "@bailiwick/core/store";
 *
 * console.log(isTrueAt({ validFrom: 10, validTo: 20, recordedAt: 10 }, { now: 30, asOf: 15 })); // true
 * ```
 */
export function isTrueAt(
  memory: Pick<StoredMemory, "validFrom" | "validTo" | "recordedAt" | "supersededAt" | "supersededFrom">,
  times: { readonly now: number; readonly asOf?: number | undefined; readonly knownAt?: number | undefined },
): boolean {
  const { now, asOf, knownAt = Infinity } = times;
  const began = (from: number, written: number): boolean => from <= (asOf ?? Math.max(now, written));
  if (memory.recordedAt > knownAt || !began(memory.validFrom, memory.recordedAt)) return false;
  if (memory.validTo !== undefined && memory.validTo <= (asOf ?? now)) return false;
  const { supersededAt, supersededFrom } = memory;
  if (supersededAt === undefined || supersededFrom === undefined || supersededAt > knownAt) return true;
  return !began(supersededFrom, supersededAt);
}

/**
 * The entry as callers see it: it ends where its successor begins. For authors of stores.
 *
 * @param memory - The stored entry.
 * @example
 * ```ts
 * import { supersededMemory } from "@bailiwick/core/store";
 * import type { MemoryEntry } from "@bailiwick/core";
 * import type { StoredMemory } from "@bailiwick/core/store";
 *
 * export const shown = (kept: readonly StoredMemory[]): readonly MemoryEntry[] => kept.map(supersededMemory);
 * ```
 */
export function supersededMemory({ supersededFrom, ...entry }: StoredMemory): MemoryEntry {
  if (supersededFrom === undefined) return entry;
  return { ...entry, validTo: Math.min(entry.validTo ?? supersededFrom, supersededFrom) };
}
