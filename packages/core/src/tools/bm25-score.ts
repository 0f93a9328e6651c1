// BM25, for tools and memories.

const saturation = 1.2;
const lengthWeight = 0.75;

/** Share of a query's information that a text must contain: one common word of many is not a match. */
export const leastCoverage = 0.2;

/** Information of a word. */
export function wordInformation(texts: number, holding: number): number {
  return Math.log(1 + (texts - holding + 0.5) / (holding + 0.5));
}

/** Score of a text for one word of the query. */
export function wordScore(information: number, frequency: number, length: number, averageLength: number): number {
  const norm = 1 - lengthWeight + (lengthWeight * length) / averageLength;
  return (information * frequency * (saturation + 1)) / (frequency + saturation * norm);
}
