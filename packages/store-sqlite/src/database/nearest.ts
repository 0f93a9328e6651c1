/** Rows of vectors: their number, and 32-bit numbers as bytes. */
export type VectorRows = Iterable<Record<string, unknown>>;

/**
 * The rows whose vectors are nearest (cosine), read one by one: only as many as are asked for are kept.
 *
 * @param query - Of the same size as all of them.
 * @param rows - In the order that decides between equals.
 * @param least - Cosine below which one is not near.
 * @param most - How many.
 * @returns their numbers with the cosine, nearest first.
 */
export function nearest(
  query: Float32Array,
  rows: VectorRows,
  least: number,
  most: number,
): ReadonlyMap<number, number> {
  const length = Math.sqrt(product(query, query));
  let found: { readonly n: number; readonly similarity: number; readonly place: number }[] = [];
  let bar = least;
  let place = 0;
  for (const row of rows) {
    place += 1;
    const vector = numbersOf(row["bytes"] as Uint8Array);
    const both = length * Math.sqrt(product(vector, vector));
    const similarity = both === 0 ? Number.NEGATIVE_INFINITY : product(query, vector) / both;
    if (!(similarity >= bar)) continue;
    found.push({ n: row["n"] as number, similarity, place });
    if (found.length < most * 2) continue;
    found = best(found, most);
    bar = found.at(-1)?.similarity ?? least;
  }
  return new Map(best(found, most).map(({ n, similarity }) => [n, similarity]));
}

function best<Found extends { readonly similarity: number; readonly place: number }>(
  found: readonly Found[],
  most: number,
): Found[] {
  return [...found].sort((one, other) => other.similarity - one.similarity || one.place - other.place).slice(0, most);
}

function product(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] as number) * (other[at] as number);
  return sum;
}

/** Where bytes do not begin at a multiple of four, they are copied. */
function numbersOf(bytes: Uint8Array): Float32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}
