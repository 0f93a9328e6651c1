/**
 * The factor for the score of a search result: guides come first, then tables of names and the API, then what the
 * project keeps about itself. VitePress sends the source of this function to the browser, so it uses nothing from
 * outside.
 *
 * @param documentId - The address of a section, such as `/guides/tools#schemas`.
 */
export function rankProjectLast(documentId: string): number {
  if (/^\/(?:spec|conformance|decisions)\//.test(documentId)) return 0.05;
  if (/^\/reference\/(?:core|testing)\/(?:provider|store|extension|conformance)\//.test(documentId)) return 0.2;
  return /^\/(?:reference|guides\/names-elsewhere|guides\/model-servers)\b/.test(documentId) ? 0.4 : 1;
}

/** True for pages that only their title and first paragraph are indexed of. */
export function isLookedUp(path: string): boolean {
  return /^(?:reference|conformance|events|options)\//.test(path);
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
