import { memoryTerms } from "@bailiwick/core/store";

/** Languages whose word endings the search removes; the words of others are found as they are written. */
export type DocumentLanguage =
  | "danish"
  | "dutch"
  | "english"
  | "finnish"
  | "french"
  | "german"
  | "greek"
  | "hungarian"
  | "italian"
  | "norwegian"
  | "portuguese"
  | "romanian"
  | "russian"
  | "spanish"
  | "swedish"
  | "turkish";

/** The two modules of a language: what removes endings, and the words without meaning for a search. */
type Language = readonly [{ readonly stemmer: (word: string) => string }, { readonly stopwords: readonly string[] }];

const modules: Readonly<Record<DocumentLanguage, () => Promise<Language>>> = {
  danish: () => Promise.all([import("@orama/stemmers/danish"), import("@orama/stopwords/danish")]),
  dutch: () => Promise.all([import("@orama/stemmers/dutch"), import("@orama/stopwords/dutch")]),
  english: () => Promise.all([import("@orama/stemmers/english"), import("@orama/stopwords/english")]),
  finnish: () => Promise.all([import("@orama/stemmers/finnish"), import("@orama/stopwords/finnish")]),
  french: () => Promise.all([import("@orama/stemmers/french"), import("@orama/stopwords/french")]),
  german: () => Promise.all([import("@orama/stemmers/german"), import("@orama/stopwords/german")]),
  greek: () => Promise.all([import("@orama/stemmers/greek"), import("@orama/stopwords/greek")]),
  hungarian: () => Promise.all([import("@orama/stemmers/hungarian"), import("@orama/stopwords/hungarian")]),
  italian: () => Promise.all([import("@orama/stemmers/italian"), import("@orama/stopwords/italian")]),
  norwegian: () => Promise.all([import("@orama/stemmers/norwegian"), import("@orama/stopwords/norwegian")]),
  portuguese: () => Promise.all([import("@orama/stemmers/portuguese"), import("@orama/stopwords/portuguese")]),
  romanian: () => Promise.all([import("@orama/stemmers/romanian"), import("@orama/stopwords/romanian")]),
  russian: () => Promise.all([import("@orama/stemmers/russian"), import("@orama/stopwords/russian")]),
  spanish: () => Promise.all([import("@orama/stemmers/spanish"), import("@orama/stopwords/spanish")]),
  swedish: () => Promise.all([import("@orama/stemmers/swedish"), import("@orama/stopwords/swedish")]),
  turkish: () => Promise.all([import("@orama/stemmers/turkish"), import("@orama/stopwords/turkish")]),
};

/** Names of the languages. */
export const languages: readonly DocumentLanguage[] = Object.keys(modules) as DocumentLanguage[];

/** Turns texts into the words of a search. */
export type Stemming = (text: string) => string;

/**
 * The words of a text with their endings removed, in each of these languages, without words that have no meaning for a
 * search.
 *
 * @param names - The languages of the documents.
 */
export async function stemmingOf(names: readonly DocumentLanguage[]): Promise<Stemming> {
  const all = await Promise.all(names.map(async (name) => modules[name]()));
  const silent = new Set(all.flatMap(([, { stopwords }]) => stopwords.flatMap(memoryTerms)));
  return (text) =>
    memoryTerms(text)
      .filter((term) => !silent.has(term))
      .flatMap((term) => [...new Set(all.map(([{ stemmer }]) => stemmer(term) || term))])
      .join(" ");
}
