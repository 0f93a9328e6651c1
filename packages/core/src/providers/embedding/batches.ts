/**
 * Texts in groups that one request takes: at most so many, and at most so many characters in all. A character is never
 * more than about one token, so that a limit in tokens holds as one in characters. A text that is longer than the limit
 * goes alone.
 *
 * @param texts - All texts.
 * @param maxTexts - Most texts of a request.
 * @param maxCharacters - Most characters of a request.
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
