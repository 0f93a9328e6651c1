// BM25, for tools and memories.

const saturation = 1.2;
const lengthWeight = 0.75;

/** Share of a query's information that a text must contain: one common word of many is not a match. */
export const leastCoverage = 0.2;

/**
 * Information of a word.
 *
 * @param texts - Number of texts.
 * @param holding - Number of texts that contain the word.
 */
export function wordInformation(texts: number, holding: number): number {
  return Math.log(1 + (texts - holding + 0.5) / (holding + 0.5));
}

/**
 * Score of a text for one word of the query.
 *
 * @param information - The word's information.
 * @param frequency - Number of times that the text has the word.
 * @param length - Number of words of the text.
 * @param averageLength - Number of words of an average text.
 */
export function wordScore(information: number, frequency: number, length: number, averageLength: number): number {
  const norm = 1 - lengthWeight + (lengthWeight * length) / averageLength;
  return (information * frequency * (saturation + 1)) / (frequency + saturation * norm);
}
