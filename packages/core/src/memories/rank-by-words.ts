import { leastCoverage, wordInformation, wordScore } from "../tools/bm25-score.ts";

/** Statistics over all memories of a scope, for BM25. */
export interface WordStatistics {
  /** Number of memories. */
  readonly count: number;
  /** Average number of words. */
  readonly averageLength: number;
}

/** Statistics of one memory, for BM25. */
export interface WordCounts {
  /** Number of words. */
  readonly length: number;
  /** Number of occurrences of each word of the query, in order. */
  readonly counts: readonly number[];
}

/**
 * Ranks memories by the words that they share with a query (BM25). The statistics cover the scope only: entries of
 * other scopes have no influence.
 *
 * @param candidates - Every memory of the scope that has one of the words.
 * @param statistics - Statistics of all memories of the scope.
 * @returns the indexes of the matching candidates, with their scores, best first.
 */
export function rankByWords(
  candidates: readonly WordCounts[],
  statistics: WordStatistics,
): readonly { readonly index: number; readonly score: number }[] {
  const words = candidates[0]?.counts.length ?? 0;
  const worth = Array.from({ length: words }, (_, word) => {
    const holding = candidates.reduce((sum, { counts }) => sum + ((counts[word] ?? 0) > 0 ? 1 : 0), 0);
    // Words that occur in no memory do not help to choose one.
    if (holding === 0) return 0;
    return wordInformation(Math.max(statistics.count, holding), holding);
  });
  const information = worth.reduce((sum, one) => sum + one, 0);
  const average = Math.max(1, statistics.averageLength);
  return candidates
    .map(({ length, counts }, index) => {
      let score = 0;
      let covered = 0;
      for (const [word, frequency] of counts.entries()) {
        if (frequency === 0) continue;
        const one = worth[word] ?? 0;
        covered += one;
        score += wordScore(one, frequency, length, average);
      }
      return { index, score, covered };
    })
    .filter(({ score, covered }) => score > 0 && covered >= information * leastCoverage)
    .map(({ index, score }) => ({ index, score }))
    .sort((one, other) => other.score - one.score || one.index - other.index);
}

/**
 * Occurrences of each word of a query in a memory.
 *
 * @param terms - Its words, from `memoryTerms`.
 * @param query - The question's, from `queryTerms`.
 */
export function countWords(terms: readonly string[], query: readonly string[]): WordCounts {
  const found = new Map<string, number>(query.map((word) => [word, 0]));
  for (const term of terms) {
    const count = found.get(term);
    if (count !== undefined) found.set(term, count + 1);
  }
  return { length: terms.length, counts: query.map((word) => found.get(word) ?? 0) };
}
