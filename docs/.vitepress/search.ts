/**
 * The factor for the score of a search result: guides come first, then reference pages, then the project's own records.
 * VitePress sends the source of this function to the browser, so it must not use outer names.
 *
 * @param documentId - The address of a section, such as `/guides/tools#schemas`.
 */
export function rankProjectLast(documentId: string): number {
  if (/^\/(?:spec|conformance|decisions)\//.test(documentId)) return 0.05;
  if (/^\/reference\/(?:core|testing)\/(?:provider|store|extension|conformance)\//.test(documentId)) return 0.2;
  if (documentId.startsWith("/errors/")) return 0.5;
  if (/^\/(?:reference|options|events)\b/.test(documentId)) return 0.25;
  if (/^\/guides\/(?:names-elsewhere|attacks|question-figures|options)\b/.test(documentId)) return 0.4;
  if (/^\/(?:migrate|guides\/(?:model-servers|command-line|compare))\b/.test(documentId)) return 0.6;
  return 1;
}

/**
 * The words of a text. An error code, such as `RUN_BUSY`, is one word. Words that every page has, such as "how" and
 * "the", are left out, so that a question finds the page of its other words. VitePress sends this function to the
 * browser too.
 */
export function wordsOf(text: string): string[] {
  const words = text.match(/[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[^\n\r\p{Z}\p{P}]+/gu) ?? [];
  const everywhere =
    /^(?:an?|and|are|can|did|do|does|for|from|how|i|in|is|it|me|my|of|on|or|that|the|this|to|what|when|why|with|you|your)$/i;
  return words.filter((word) => !everywhere.test(word));
}

/** True for pages of which only the title and first paragraph are indexed. */
export function isLookedUp(path: string): boolean {
  return /^(?:reference|conformance|events|options)\//.test(path);
}

/**
 * The search words of a page that readers type and the page does not have, from `keywords` of its front matter.
 *
 * @param source - Markdown.
 */
export function keywordsOf(source: string): string {
  return /^---\n(?:.+\n)*?keywords: (.+)\n/.exec(source)?.[1] ?? "";
}

/**
 * The names and the first paragraphs of the exports that share a page.
 *
 * @param source - Markdown.
 * @returns `undefined` for any other page.
 */
export function namesOf(source: string): string | undefined {
  if (!/^---\n(?:.+\n)*?shared: true\n/.test(source)) return undefined;
  const [beginning = "", ...sections] = source.replace(/^```[\s\S]*?^```$/gm, "").split(/^(?=## )/m);
  return [beginning, ...sections.map((section) => section.slice(0, endOfSummary(section)))].join("\n");
}

function endOfSummary(section: string): number {
  const end = section.search(/^(?:#{3,}\s|\||\*\*)/m);
  return end === -1 ? section.length : end;
}

/**
 * The beginning of a page: its title and its first paragraphs, without tables.
 *
 * @param source - Markdown.
 */
export function beginningOf(source: string): string {
  const lines = source.split("\n");
  const end = lines.findIndex((line) => /^(?:##\s|\|)/.test(line));
  return (end === -1 ? lines : lines.slice(0, end)).join("\n");
}
