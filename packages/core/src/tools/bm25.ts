import { leastCoverage, wordInformation, wordScore } from "./bm25-score.ts";
import { functionWords } from "./function-words.ts";

/** A searchable text, in fields of different weight. */
export interface SearchDocument {
  /** Its name, which a hit has. */
  readonly id: string;
  /** Its texts. A word counts as often as its field weighs. */
  readonly fields: readonly { readonly text: string; readonly weight: number }[];
}

/** A document that matches a query. */
interface SearchHit {
  readonly id: string;
  readonly score: number;
}

/** An index that is built once and searched often. */
export interface SearchIndex {
  /**
   * The matching documents, best first.
   *
   * @param query - Words.
   * @param limit - Maximum number of results.
   * @param accepts - Leaves documents out.
   */
  search(query: string, limit: number, accepts?: (id: string) => boolean): readonly SearchHit[];
}

/** Score that a document must reach, as a fraction of the best one's. */
const LEAST_SCORE = 0.3;

/** Words without meaning for a search of tools; a query of these words alone finds nothing. */
const STOP_WORDS: ReadonlySet<string> = new Set([
  ...functionWords,
  ..."all also any get give help if let make may need please some tool tools use used using want".split(" "),
]);

/**
 * Splits text into words for searching: lower case, `camelCase` and `snake_case` split, plural endings removed, scripts
 * without spaces in pairs of letters.
 */
function searchTerms(text: string): readonly string[] {
  const spaced = text
    .normalize("NFKC")
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase();
  const terms: string[] = [];
  for (const [word] of spaced.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word)) {
      const letters = [...word];
      if (letters.length === 1) terms.push(word);
      for (let at = 0; at + 1 < letters.length; at += 1) terms.push(`${letters[at]}${letters[at + 1]}`);
    } else if (!STOP_WORDS.has(word)) terms.push(stem(word));
  }
  return terms;
}

function stem(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:sh|ch|x|ss|z)es$/u.test(word)) return word.slice(0, -2);
  if (word.length > 5 && word.endsWith("ing")) return word.slice(0, -3);
  return word.length > 3 && word.endsWith("s") && !/(?:ss|us|is)$/u.test(word) ? word.slice(0, -1) : word;
}

/**
 * Builds a BM25 index.
 *
 * @param documents - The texts; each word counts with the weight of its field.
 */
export function buildSearchIndex(documents: readonly SearchDocument[]): SearchIndex {
  const postings = new Map<string, Map<number, number>>();
  const lengths = documents.map((document, index) => {
    let length = 0;
    for (const { text, weight } of document.fields) {
      for (const term of searchTerms(text)) {
        let posting = postings.get(term);
        if (posting === undefined) postings.set(term, (posting = new Map()));
        posting.set(index, (posting.get(index) ?? 0) + weight);
        length += weight;
      }
    }
    return length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, documents.length);

  return {
    search: (query, limit, accepts) => {
      const terms = new Set(searchTerms(query));
      const scores = new Map<number, { score: number; covered: number }>();
      let asked = 0;
      for (const term of terms) {
        const posting = postings.get(term);
        const worth = wordInformation(documents.length, posting?.size ?? 0);
        asked += worth;
        for (const [index, frequency] of posting ?? []) {
          const entry = scores.get(index) ?? { score: 0, covered: 0 };
          entry.score += wordScore(worth, frequency, lengths[index] as number, average);
          entry.covered += worth;
          scores.set(index, entry);
        }
      }
      const hits: SearchHit[] = [];
      let best = 0;
      for (const [index, { score, covered }] of scores) {
        const { id } = documents[index] as SearchDocument;
        if (covered < asked * leastCoverage || accepts?.(id) === false) continue;
        best = Math.max(best, score);
        hits.push({ id, score });
      }
      return hits
        .filter((hit) => hit.score >= best * LEAST_SCORE)
        .sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
        .slice(0, limit);
    },
  };
}
