import type { MemoryEntry, MemoryHit, MemoryQuery } from "../contracts/ports/memories.ts";

/** Dampens the difference between the first places of a list. */
const rankConstant = 60;
const dayMs = 86_400_000;
/** Milliseconds of one day, and defaults of a query: half-life in days, number of results and tokens. */
const halfLifeDays = 30;
const mostHits = 8;
const mostTokens = 1_000;

/** A memory in one of the lists. */
export interface FoundMemory {
  /** The memory that was found. */
  readonly entry: MemoryEntry;
  /** Relevance, comparable within its list. */
  readonly relevance: number;
  /** Cosine similarity of the vectors, from -1 to 1; absent for a match by words. */
  readonly similarity?: number | undefined;
}

/** The hits of a store, each list with the most relevant first. */
export interface RankedMemories {
  readonly lexical: readonly FoundMemory[];
  /** One list per model. */
  readonly vectors: readonly (readonly FoundMemory[])[];
}

/**
 * Number of entries of each list that are ranked: later ones cannot affect the result. For authors of stores.
 *
 * @param limit - The query's limit; default 8.
 * @example
 * ```ts
 * import { rankDepth } from "@bailiwick/core/store";
 *
 * console.log(rankDepth(20)); // 200
 * ```
 */
export function rankDepth(limit: number = mostHits): number {
  return Math.max(100, limit * 10);
}

/**
 * Tokens of a text: one for four ASCII characters, and one for every other character.
 *
 * @param text - Text of a memory.
 */
function memoryTokens(text: string): number {
  let ascii = 0;
  let others = 0;
  for (const character of text) {
    if (character <= "\u007f") ascii += 1;
    else others += 1;
  }
  return Math.ceil(ascii / 4) + others;
}

/**
 * Merges the entries found by words and by vectors into one list. In each list relevance is halved with each
 * half-life of age; the resulting ranks are fused (reciprocal ranks, k = 60) and cut to the query's limits. The order
 * of the lists has no influence. Age is applied to relevance and not to the fused ranks, which are so close that age
 * alone would decide.
 *
 * @param found - Entries that a store found.
 * @param query - Its limit, budget and half-life.
 * @param now - In milliseconds since the epoch.
 * @example
 * ```ts
 * import { rankMemories } from "@bailiwick/core/store";
 * import type { MemoryEntry } from "@bailiwick/core";
 *
 * export const hits = (entry: MemoryEntry) =>
 *   rankMemories({ lexical: [{ entry, relevance: 1 }], vectors: [] }, { limit: 1 }, Date.now());
 * ```
 */
export function rankMemories(
  found: RankedMemories,
  query: Pick<MemoryQuery, "limit" | "budgetTokens" | "halfLifeDays">,
  now: number,
): readonly MemoryHit[] {
  const hits = new Map<string, MemoryHit>();
  const ageOf = ({ recordedAt }: MemoryEntry): number => Math.max(0, (now - recordedAt) / dayMs);
  const add = (entry: MemoryEntry, rank: number, place: Partial<MemoryHit>): void => {
    const known = hits.get(entry.id) ?? { entry, score: 0, ageDays: ageOf(entry) };
    hits.set(entry.id, { ...known, ...place, score: known.score + 1 / (rankConstant + rank) });
  };
  const depth = rankDepth(query.limit);
  const life = query.halfLifeDays ?? halfLifeDays;
  const aged = (list: readonly FoundMemory[]): readonly FoundMemory[] =>
    list
      .slice(0, depth)
      .map((one) => ({ ...one, relevance: one.relevance * 0.5 ** (ageOf(one.entry) / life) }))
      .sort((one, other) => other.relevance - one.relevance || newerFirst(one.entry, other.entry));
  aged(found.lexical).forEach(({ entry }, index) => add(entry, index + 1, { lexicalRank: index + 1 }));
  for (const list of found.vectors)
    aged(list).forEach(({ entry, similarity }, index) => add(entry, index + 1, { vectorRank: index + 1, similarity }));
  const ranked = [...hits.values()].sort((one, other) => other.score - one.score || newerFirst(one.entry, other.entry));
  return boundMemories(ranked, query);
}

/** Order of equal entries: the later one first, then by id. */
export function newerFirst(one: MemoryEntry, other: MemoryEntry): number {
  return other.recordedAt - one.recordedAt || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}

/**
 * Keeps the first memories that fit into a query's limit. A memory that is too long is left out; shorter ones after it
 * may still fit.
 *
 * @param hits - Best first.
 * @param query - `limit` in memories, default 8; `budgetTokens` in tokens, default 1,000.
 * @example
 * ```ts
 * import { boundMemories } from "@bailiwick/core/store";
 * import type { MemoryHit } from "@bailiwick/core";
 *
 * export const firstThree = (hits: readonly MemoryHit[]) => boundMemories(hits, { limit: 3 });
 * ```
 */
export function boundMemories(
  hits: readonly MemoryHit[],
  query: Pick<MemoryQuery, "limit" | "budgetTokens">,
): readonly MemoryHit[] {
  const { limit = mostHits, budgetTokens = mostTokens } = query;
  const kept: MemoryHit[] = [];
  let room = budgetTokens;
  for (const hit of hits) {
    if (kept.length >= limit) break;
    const tokens = memoryTokens(hit.entry.text);
    if (tokens > room) continue;
    room -= tokens;
    kept.push(hit);
  }
  return kept;
}
