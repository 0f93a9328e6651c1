import { setImmediate } from "node:timers";

/** Maximum time of one turn of the event loop for handing out items, in milliseconds. */
const turnMs = 1;

/**
 * Passes items on one by one, and yields to the event loop once in a while: each item starts other work, and hundreds
 * at once would block the loop.
 *
 * @param take - Is given each of them, in order.
 */
export function paced<T>(take: (item: T) => void): (items: readonly T[]) => void {
  let queue: T[] = [];
  let handing = false;

  async function handOut(): Promise<void> {
    const until = performance.now() + turnMs;
    let next = 0;
    while (next < queue.length) {
      take(queue[next] as T);
      next += 1;
      // The started work runs here, interleaved with other work, and counts too.
      await Promise.resolve();
      if (performance.now() > until) break;
    }
    queue = next === queue.length ? [] : queue.slice(next);
    if (queue.length > 0) setImmediate(() => void handOut());
    else handing = false;
  }

  return (items) => {
    queue.push(...items);
    if (handing || queue.length === 0) return;
    handing = true;
    void handOut();
  };
}
