const saturation = 1.2;
const lengthWeight = 0.75;
/** Part of the question's information that a memory must hold: one common word of many is no answer. */
const leastCoverage = 0.2;

/** What BM25 needs to know of all memories of a scope. */
export interface WordStatistics {
  /** How many there are. */
  readonly count: number;
  /** How many words they have on average. */
  readonly averageLength: number;
}

/**
 * Ranks memories by the words that they share with a question (BM25). Statistics are those of the scope: what others keep
 * changes nothing.
 *
 * @param query - From `queryTerms`.
 * @param candidates - Every memory of the scope that holds one of the words, with all of its words, from `memoryTerms`.
 * @param statistics - Of all memories of the scope.
 * @returns the places of the candidates that answer, with their scores, best first.
 * @example
 * ```ts
 * import { memoryTerms, queryTerms, rankByWords } from "@bailiwick/core";
 *
 * const texts = ["Ana eats no nuts.", "Ben likes tea."].map(memoryTerms);
 * const [best] = rankByWords(queryTerms("Any nuts?"), texts, { count: 2, averageLength: 3.5 });
 * console.log(best?.index); // 0
 * ```
 */
export function rankByWords(
  query: readonly string[],
  candidates: readonly (readonly string[])[],
  statistics: WordStatistics,
): readonly { readonly index: number; readonly score: number }[] {
  if (query.length === 0 || candidates.length === 0) return [];
  const asked = new Set(query);
  const counts = candidates.map((terms) => {
    const found = new Map<string, number>();
    for (const term of terms) if (asked.has(term)) found.set(term, (found.get(term) ?? 0) + 1);
    return found;
  });
  const worth = new Map<string, number>();
  for (const term of asked) {
    const holding = counts.reduce((sum, found) => sum + (found.has(term) ? 1 : 0), 0);
    const all = Math.max(statistics.count, holding);
    worth.set(term, Math.log(1 + (all - holding + 0.5) / (holding + 0.5)));
  }
  const information = [...worth.values()].reduce((sum, one) => sum + one, 0);
  const average = Math.max(1, statistics.averageLength);
  return counts
    .map((found, index) => {
      const norm = 1 - lengthWeight + (lengthWeight * (candidates[index]?.length ?? 0)) / average;
      let score = 0;
      let covered = 0;
      for (const [term, frequency] of found) {
        const one = worth.get(term) ?? 0;
        covered += one;
        score += (one * frequency * (saturation + 1)) / (frequency + saturation * norm);
      }
      return { index, score, covered };
    })
    .filter(({ score, covered }) => score > 0 && covered >= information * leastCoverage)
    .map(({ index, score }) => ({ index, score }))
    .sort((one, other) => other.score - one.score || one.index - other.index);
}
