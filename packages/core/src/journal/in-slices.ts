/** How long work may hold up everything else of the process, in milliseconds. */
const sliceMs = 2;

/**
 * Does something with each of many things, in order, and lets the rest of the process continue now and then: a long journal
 * is read while other runs are driven.
 */
export async function mapInSlices<T, Result>(
  items: readonly T[],
  work: (item: T) => Result,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let until = Date.now() + sliceMs;
  for (const item of items) {
    if (Date.now() > until) {
      await new Promise<void>((resolve) => setTimeout(resolve, 0));
      until = Date.now() + sliceMs;
    }
    results.push(work(item));
  }
  return results;
}
