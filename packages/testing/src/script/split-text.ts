/**
 * Splits text like a model's stream: words with their leading space, never inside a surrogate pair.
 *
 * @param text - Any text; empty gives no chunks.
 */
export function splitText(text: string): readonly string[] {
  return text.match(/\s*\S{1,12}|\s+$/gu) ?? [];
}
