import type { MemoryEntry } from "../contracts/ports/memories.ts";
import { functionWords } from "../tools/function-words.ts";

/** Words without meaning for a search. They are only removed from queries: entries are indexed whole. */
const stopWords: ReadonlySet<string> = new Set([
  ...functionWords,
  ..."been did had they those were whom whose why".split(" "),
]);

/** Scripts without spaces between words, and Korean, whose words include their particles. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;

/**
 * The words of a text for the index and for searches, with repetitions: lower case, without accents and plural endings.
 * Scripts without spaces, and Korean, are split into pairs of letters, Chinese also into single characters. Every store
 * splits texts this way, so every store finds the same entries.
 *
 * @param text - In any language.
 * @example
 * ```ts
 * import { memoryTerms } from "@bailiwick/core/store";
 *
 * console.log(memoryTerms("Zoë likes 京都の秋")); // ["zoe", "like", "京", "都", "秋", "京都", "都の", "の秋"]
 * ```
 */
export function memoryTerms(text: string): readonly string[] {
  const plain = text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/gu, "")
    .normalize("NFKC")
    .toLowerCase();
  const terms: string[] = [];
  for (const [word] of plain.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    if (!unspaced.test(word)) terms.push(singular(word));
    else for (const [run] of word.matchAll(runs)) addRun(terms, run);
  }
  return terms;
}

/**
 * The words of an entry for the index: those of its `searchText`, else those of its name and text.
 *
 * @param entry - The entry.
 * @example
 * ```ts
 * import { indexedTerms, type MemoryEntry } from "@bailiwick/core/store";
 *
 * export const length = (entry: MemoryEntry): number => indexedTerms(entry).length;
 * ```
 */
export function indexedTerms(entry: Pick<MemoryEntry, "name" | "text" | "searchText">): readonly string[] {
  return memoryTerms(entry.searchText ?? `${entry.name ?? ""} ${entry.text}`);
}

function addRun(terms: string[], run: string): void {
  if (!unspaced.test(run)) {
    terms.push(singular(run));
    return;
  }
  const letters = [...run];
  // A Chinese character is often a word by itself.
  for (const letter of letters) if (letters.length === 1 || /\p{Script=Han}/u.test(letter)) terms.push(letter);
  for (let at = 0; at + 1 < letters.length; at += 1) terms.push(`${letters[at]}${letters[at + 1]}`);
}

/**
 * The words of a query, each once. A query of function words alone has none.
 *
 * @param text - In any language.
 * @example
 * ```ts
 * import { queryTerms } from "@bailiwick/core/store";
 *
 * console.log(queryTerms("What is my allergy?")); // ["allergy"]
 * ```
 */
export function queryTerms(text: string): readonly string[] {
  return [...new Set(memoryTerms(text))].filter((term) => !stopWords.has(term));
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:sh|ch|x|ss|z)es$/u.test(word)) return word.slice(0, -2);
  return word.length > 3 && word.endsWith("s") && !/(?:ss|us|is)$/u.test(word) ? word.slice(0, -1) : word;
}
