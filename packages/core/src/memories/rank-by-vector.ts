/**
 * Ranks memories by the cosine of their vectors to the query's.
 *
 * @param query - The question's.
 * @param candidates - Vectors of the same model; those of another size are ignored.
 * @param least - Minimum cosine of a match.
 * @returns the indexes of the matching candidates, nearest first.
 */
export function rankByVector(
  query: ArrayLike<number>,
  candidates: readonly ArrayLike<number>[],
  least: number,
): readonly { readonly index: number; readonly similarity: number }[] {
  const own = lengthOf(query);
  return candidates
    .map((vector, index) => ({ index, similarity: cosine(query, own, vector) }))
    .filter(({ similarity }) => similarity >= least)
    .sort((one, other) => other.similarity - one.similarity || one.index - other.index);
}

function cosine(query: ArrayLike<number>, own: number, vector: ArrayLike<number>): number {
  if (vector.length !== query.length) return Number.NEGATIVE_INFINITY;
  let product = 0;
  let square = 0;
  for (let at = 0; at < vector.length; at += 1) {
    const value = vector[at] as number;
    product += value * (query[at] as number);
    square += value * value;
  }
  const both = own * Math.sqrt(square);
  return both === 0 ? Number.NEGATIVE_INFINITY : product / both;
}

function lengthOf(vector: ArrayLike<number>): number {
  let square = 0;
  for (let at = 0; at < vector.length; at += 1) square += (vector[at] as number) ** 2;
  return Math.sqrt(square);
}
