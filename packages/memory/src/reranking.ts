import type { MemoryHit, MemoryQuery, RankedText, Reranker } from "@bailiwick/core";
import { textOf } from "./embeddings.ts";
import type { EmbeddingHost } from "./embeddings.ts";
import { withinTime } from "./within-time.ts";

/** Sorts the store's results again. A reranker that fails leaves the store's order. */
export interface Reranking {
  /** Limits of the query whose hits are sorted: more than needed, so that reordering can change the selection. */
  widen(query: MemoryQuery): Pick<MemoryQuery, "limit" | "budgetTokens">;
  /** Puts the most relevant hits first. */
  order(
    question: string,
    hits: readonly MemoryHit[],
    query: MemoryQuery,
    host: EmbeddingHost,
    signal: AbortSignal | undefined,
  ): Promise<readonly MemoryHit[]>;
}

/** Number of candidates per needed hit, and maximum number in one request. */
const candidatesPerHit = 4;
const mostCandidates = 100;
/** Default number of hits of a query. */
const usualLimit = 8;

/**
 * Makes the reranking of one memory.
 *
 * @param reranker - Orders texts.
 * @param timeoutMs - Longest wait for it, in milliseconds.
 */
export function createReranking(reranker: Reranker, timeoutMs: number): Reranking {
  return {
    widen: ({ limit = usualLimit }) => ({
      limit: Math.max(limit, Math.min(limit * candidatesPerHit, mostCandidates)),
      budgetTokens: Number.MAX_SAFE_INTEGER,
    }),
    async order(question, hits, { limit = usualLimit }, { clock, logger }, signal) {
      if (hits.length < 2) return hits;
      const texts = hits.map(({ entry }) => textOf(entry));
      try {
        // All candidates are scored: after a long memory that does not fit, the next one may fit.
        const ranked = await withinTime(clock, timeoutMs, signal, (given) =>
          reranker.rerank(question, texts, { limit: Math.max(limit, hits.length), signal: given }),
        );
        return ordered(hits, ranked);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        logger.warn(`The reranker "${reranker.model}" failed (${why}). Memories keep the order of the search.`, {
          error,
        });
        return hits;
      }
    },
  };
}

/** Hits in the order of an answer, followed by those that it does not name. */
function ordered(hits: readonly MemoryHit[], ranked: readonly RankedText[]): readonly MemoryHit[] {
  const left = new Map(hits.entries());
  const first = ranked.map(({ index, relevance }) => {
    const hit = left.get(index);
    if (hit === undefined) throw new Error(`it named the text ${index} of ${hits.length} twice, or there is none`);
    if (!Number.isFinite(relevance)) throw new Error(`it gave the text ${index} no number as relevance`);
    left.delete(index);
    return { ...hit, relevance };
  });
  return [...first.sort((one, other) => other.relevance - one.relevance), ...left.values()];
}
