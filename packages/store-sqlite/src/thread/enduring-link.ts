import type { DatabaseLink, ThreadLink } from "./link.ts";

/**
 * Creates a link that outlives its thread: when the thread has ended, for example because it ran out of memory, the
 * next call starts a new one, which opens the file again. Open calls of the old thread fail: whether their data is
 * stored is unknown, and the caller reads the file to find out. A thread that ends before its first answer is not
 * replaced.
 *
 * @param start - Starts a thread; the first one at once.
 * @param warn - Called for each start after the first.
 * @throws what `start` throws.
 */
export function enduringLink(start: () => ThreadLink, warn: (text: string) => void): DatabaseLink {
  let link = start();
  const { name } = link;
  let restarting: Promise<ThreadLink> | undefined;
  let closing: Promise<void> | undefined;

  async function restarted(): Promise<ThreadLink> {
    const { ended } = link;
    // Its connection holds locks until it ends.
    await link.exited;
    try {
      link = start();
      warn(`The store "${name}" continues in another thread: ${ended?.message ?? ""}`);
      return link;
    } finally {
      restarting = undefined;
    }
  }

  return {
    name,
    call(call, ...args) {
      if (closing !== undefined || link.ended === undefined || !link.answered) return link.call(call, ...args);
      restarting ??= restarted();
      return restarting.then((next): Promise<unknown> => next.call(call, ...args)) as ReturnType<
        typeof link.call<typeof call>
      >;
    },
    close: () =>
      (closing ??= (restarting ?? Promise.resolve(link)).then(
        (last) => last.close(),
        () => link.close(),
      )),
  };
}
