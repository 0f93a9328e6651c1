import type { DatabaseLink } from "../thread/link.ts";

/** Interval at which the commits of other processes are checked, in milliseconds. */
const lookMs = 200;

/** Notifies workers that runs may have become ready. */
export interface ReadyWatch {
  subscribe(callback: () => void): () => void;
  /** Calls the subscribers at once, because a run of this process became ready. */
  tell(): void;
}

/** Checks for commits of other processes while there are subscribers. */
export function readyWatch(link: Pick<DatabaseLink, "call">): ReadyWatch {
  const callbacks = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let seen: number | undefined;
  let looking = false;

  const tell = (): void => {
    for (const callback of callbacks) callback();
  };
  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    try {
      const version = await link.call("version");
      if (seen !== undefined && seen !== version) tell();
      seen = version;
    } catch {
      // The worker's own claims report the problem of the store.
    } finally {
      looking = false;
    }
  }

  return {
    tell,
    subscribe(callback) {
      callbacks.add(callback);
      timer ??= setInterval(() => void look(), lookMs);
      (timer as { readonly unref?: () => void }).unref?.();
      return () => {
        callbacks.delete(callback);
        if (callbacks.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
