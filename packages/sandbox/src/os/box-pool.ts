import { kindKey, startToolBox } from "./tool-box.ts";
import type { BoxKind, ToolBox } from "./tool-box.ts";

/** Time for which an idle sandbox waits for a call, in milliseconds. */
const longestIdleMs = 60_000;
/** Waiting sandboxes, of all kinds; each is an idle process of Node. */
const mostWaiting = 4;

interface Waiting {
  readonly key: string;
  readonly box: ToolBox;
  readonly isOver: () => boolean;
  readonly timer: NodeJS.Timeout;
}

/** Sandboxes that were started in advance. Each serves one call, and is never used again. */
export interface BoxPool {
  /** Returns a sandbox for a call, and starts another of its kind for the next one. */
  take(kind: BoxKind): Promise<ToolBox>;
  /** Number of sandboxes that wait now. */
  readonly waiting: number;
  /** Ends the idle ones. */
  close(): Promise<void>;
}

/**
 * Makes a pool. Waiting sandboxes do not keep the process alive, and end with it.
 *
 * @param start - Starts a box; for tests.
 */
export function boxPool(start: (kind: BoxKind) => Promise<ToolBox> = startToolBox): BoxPool {
  let waiting: readonly Waiting[] = [];
  const starting = new Set<string>();
  const remove = (one: Waiting): void => {
    clearTimeout(one.timer);
    waiting = waiting.filter((other) => other !== one);
  };
  const end = (one: Waiting): Promise<unknown> => {
    remove(one);
    one.box.ref();
    one.box.kill();
    return one.box.ended;
  };
  const keep = (key: string, box: ToolBox): void => {
    let isOver = false;
    const timer = setTimeout(() => void end(one), longestIdleMs);
    timer.unref();
    box.unref();
    const one: Waiting = { key, box, timer, isOver: () => isOver };
    void box.ended.then(() => {
      isOver = true;
      remove(one);
    });
    waiting = [...waiting, one];
    const [oldest] = waiting;
    if (waiting.length > mostWaiting && oldest !== undefined) void end(oldest);
  };
  const prepare = (key: string, kind: BoxKind): void => {
    if (starting.has(key) || waiting.some((one) => one.key === key)) return;
    starting.add(key);
    start(kind)
      .then(
        (box) => keep(key, box),
        // The call that needs one reports the reason.
        () => undefined,
      )
      .finally(() => starting.delete(key));
  };
  return {
    async take(kind) {
      const key = kindKey(kind);
      const ready = waiting.find((one) => one.key === key && !one.isOver());
      if (ready !== undefined) {
        remove(ready);
        ready.box.ref();
        prepare(key, kind);
        return ready.box;
      }
      const box = await start(kind);
      prepare(key, kind);
      return box;
    },
    get waiting() {
      return waiting.length;
    },
    async close() {
      await Promise.all(waiting.map(end));
    },
  };
}
