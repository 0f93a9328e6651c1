/** Refusals in a minute after which half as many runs are driven at once. */
const mostRefusals = 3;
const windowMs = 60_000;

/**
 * Runs numbered tasks, some at once. After three tasks in a minute that a model refused because there were too many
 * requests, half as many run at once.
 *
 * @param task - Returns true if the model refused its requests.
 */
export async function runPool(
  count: number,
  concurrency: number,
  task: (index: number) => Promise<boolean>,
): Promise<void> {
  let next = 0;
  let most = concurrency;
  let refusals: number[] = [];
  const work = async (place: number): Promise<void> => {
    while (next < count && place < most) {
      const index = next;
      next += 1;
      if (!(await task(index))) continue;
      const now = Date.now();
      refusals = [...refusals.filter((at) => now - at < windowMs), now];
      if (refusals.length < mostRefusals) continue;
      refusals = [];
      most = Math.max(1, Math.floor(most / 2));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, (_, place) => work(place)));
}
