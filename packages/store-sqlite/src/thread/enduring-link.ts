import type { DatabaseLink, ThreadLink } from "./link.ts";

/**
 * Makes a link that outlives its thread: when the thread has ended, for want of memory for example, the next call starts
 * another one, which opens the file again. What the thread had not answered fails: whether it is stored is not known, and
 * whoever asked finds out from the file. A thread that ends before it has answered anything is not followed by another.
 *
 * @param start - Starts a thread; the first one at once.
 * @param warn - Is told of each start after the first.
 * @throws what `start` throws.
 */
export function enduringLink(start: () => ThreadLink, warn: (text: string) => void): DatabaseLink {
  let link = start();
  const { name } = link;
  let restarting: Promise<ThreadLink> | undefined;
  let closing: Promise<void> | undefined;

  async function restarted(): Promise<ThreadLink> {
    const { ended } = link;
    // Its connection holds locks until it is gone.
    await link.exited;
    try {
      link = start();
      warn(`The store "${name}" goes on in another thread: ${ended?.message ?? ""}`);
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
