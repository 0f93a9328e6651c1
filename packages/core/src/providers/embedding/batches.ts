/**
 * Splits texts into groups, one for each request, that are limited in number and in characters. A character is at most
 * about one token, so a limit in tokens also works as a limit in characters. A text over the limit is sent alone.
 *
 * @param texts - All texts.
 * @param maxTexts - Maximum number of texts in a request.
 * @param maxCharacters - Maximum number of characters in a request.
 */
export function batchesOf(
  texts: readonly string[],
  maxTexts: number,
  maxCharacters: number,
): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= maxTexts || characters + text.length > maxCharacters) {
      batches.push([text]);
      characters = text.length;
    } else {
      last.push(text);
      characters += text.length;
    }
  }
  return batches;
}
