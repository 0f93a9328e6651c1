import type { MemoryHit, MemoryQuery, MemoryVector } from "../contracts/ports/memories.ts";
import { indexedTerms, queryTerms } from "./memory-words.ts";
import { isInScope } from "./memory-scope.ts";
import { isTrueAt, supersededMemory, type StoredMemory } from "./memory-time.ts";
import { rankByVector } from "./rank-by-vector.ts";
import { countWords, rankByWords, type WordCounts } from "./rank-by-words.ts";
import { newerFirst, rankMemories, type FoundMemory } from "./rank-memories.ts";

/** A memory with its indexed words and vectors. */
export interface SearchedMemory {
  /** The stored memory. */
  readonly entry: StoredMemory;
  /** Terms of `memoryTerms`; computed if missing. */
  readonly terms?: readonly string[] | undefined;
  /** Vector of the text; absent if the store has none. */
  readonly vector?: MemoryVector | undefined;
  /** A store has already applied scope, time, kind and name of the query: they are not checked again. */
  readonly chosen?: boolean | undefined;
}

/**
 * Answers a query from memories in memory: the complete `query` of a store that keeps them as objects.
 *
 * @param memories - Of any scope and time: the query chooses.
 * @param query - The search.
 * @param now - In milliseconds since the epoch.
 * @example
 * ```ts
 * import { searchMemories } from "@bailiwick/core/store";
 * import type { MemoryEntry } from "@bailiwick/core";
 *
 * export const ofAna = (entries: readonly MemoryEntry[]) =>
 *   searchMemories(
 *     entries.map((entry) => ({ entry })),
 *     { scope: { tenantId: undefined, userId: "ana" }, text: "allergies" },
 *     Date.now(),
 *   );
 * ```
 */
export function searchMemories(
  memories: Iterable<SearchedMemory>,
  query: MemoryQuery,
  now: number,
): readonly MemoryHit[] {
  const seen: (SearchedMemory & { readonly terms: readonly string[] })[] = [];
  for (const memory of memories) {
    const { entry } = memory;
    if (memory.chosen !== true && !isAskedFor(entry, query, now)) continue;
    seen.push({ ...memory, terms: memory.terms ?? indexedTerms(entry) });
  }
  // Ties are broken by this order, so it must not depend on the store.
  seen.sort((one, other) => newerFirst(one.entry, other.entry));
  const found = (index: number, relevance: number, similarity?: number): FoundMemory => ({
    entry: supersededMemory((seen[index] as SearchedMemory).entry),
    relevance,
    similarity,
  });
  const { text, vectors, leastSimilarity = 0.25 } = query;
  if (text === undefined && vectors === undefined)
    return rankMemories({ lexical: seen.map((_, index) => found(index, 1)), vectors: [] }, byAge(query), now);
  const words = text === undefined ? [] : queryTerms(text);
  const counted = seen.map(({ terms }) => countWords(terms, words));
  const holding = seen.flatMap((_, index) =>
    counted[index]?.counts.some((count) => count > 0) === true ? [index] : [],
  );
  const ranked = rankByWords(
    holding.map((index) => counted[index] as WordCounts),
    {
      count: seen.length,
      averageLength: seen.reduce((sum, { terms }) => sum + terms.length, 0) / Math.max(1, seen.length),
    },
  );
  return rankMemories(
    {
      lexical: ranked.map(({ index, score }) => found(holding[index] as number, score)),
      vectors: (vectors ?? []).map(({ model, values }) => {
        const near = seen.flatMap(({ vector }, index) => (vector?.model === model ? [{ index, vector }] : []));
        return rankByVector(
          values,
          near.map(({ vector }) => vector.values),
          leastSimilarity,
        ).map(({ index, similarity }) => found(near[index]?.index ?? -1, similarity, similarity));
      }),
    },
    query,
    now,
  );
}

function isAskedFor(entry: StoredMemory, query: MemoryQuery, now: number): boolean {
  return (
    isInScope(entry, query.scope) &&
    isTrueAt(entry, { asOf: query.asOf, knownAt: query.knownAt, now }) &&
    (query.kinds === undefined || query.kinds.includes(entry.kind)) &&
    (query.name === undefined || query.name === entry.name)
  );
}

/** The newest entry comes first: entries have no other order. */
function byAge(query: MemoryQuery): MemoryQuery {
  return { ...query, halfLifeDays: Infinity };
}
