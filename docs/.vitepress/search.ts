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
