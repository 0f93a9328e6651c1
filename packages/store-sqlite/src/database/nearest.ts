/** Rows of vectors: `n`, their number; `bytes`, 32-bit numbers; `recorded_at` and `id`, which decide between equals. */
export type VectorRows = Iterable<Record<string, unknown>>;

interface Found {
  readonly n: number;
  readonly similarity: number;
  readonly at: number;
  readonly id: string;
}

/**
 * The rows whose vectors are nearest (cosine), read one by one: only the requested number is kept.
 *
 * @param query - Of the same size as the rows.
 * @param rows - In any order.
 * @param least - Minimum cosine.
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
  let found: Found[] = [];
  let bar = least;
  for (const row of rows) {
    const vector = numbersOf(row["bytes"] as Uint8Array);
    const both = length * Math.sqrt(product(vector, vector));
    const similarity = both === 0 ? Number.NEGATIVE_INFINITY : product(query, vector) / both;
    if (!(similarity >= bar)) continue;
    const [n, at, id] = [row["n"] as number, row["recorded_at"] as number, row["id"] as string];
    found.push({ n, similarity, at, id });
    if (found.length < most * 2) continue;
    found = best(found, most);
    bar = found.at(-1)?.similarity ?? least;
  }
  return new Map(best(found, most).map(({ n, similarity }) => [n, similarity]));
}

function best(found: readonly Found[], most: number): Found[] {
  return [...found]
    .sort((one, other) => other.similarity - one.similarity || other.at - one.at || (one.id < other.id ? -1 : 1))
    .slice(0, most);
}

function product(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] as number) * (other[at] as number);
  return sum;
}

/** Reads numbers. Bytes that do not begin at a multiple of four are copied. */
function numbersOf(bytes: Uint8Array): Float32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}
