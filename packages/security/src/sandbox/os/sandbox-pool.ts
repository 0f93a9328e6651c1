import { kindKey, startToolSandbox } from "./tool-sandbox.ts";
import type { SandboxKind, ToolSandbox } from "./tool-sandbox.ts";

/** Time for which an idle sandbox waits for a call, in milliseconds. */
const longestIdleMs = 60_000;
/** Waiting sandboxes, of all kinds; each is an idle process of Node. */
const mostWaiting = 4;

interface Waiting {
  readonly key: string;
  readonly sandbox: ToolSandbox;
  readonly isOver: () => boolean;
  readonly timer: NodeJS.Timeout;
}

/** Sandboxes that were started in advance. Each serves one call, and is never used again. */
export interface SandboxPool {
  /** Returns a sandbox for a call, and starts another of its kind for the next one. */
  take(kind: SandboxKind): Promise<ToolSandbox>;
  /** Number of sandboxes that wait now. */
  readonly waiting: number;
  /** Ends the idle ones. */
  close(): Promise<void>;
}

/**
 * Makes a pool. Waiting sandboxes do not keep the process alive, and end with it.
 *
 * @param start - Starts a sandbox; for tests.
 */
export function sandboxPool(start: (kind: SandboxKind) => Promise<ToolSandbox> = startToolSandbox): SandboxPool {
  let waiting: readonly Waiting[] = [];
  const starting = new Set<string>();
  const remove = (one: Waiting): void => {
    clearTimeout(one.timer);
    waiting = waiting.filter((other) => other !== one);
  };
  const end = (one: Waiting): Promise<unknown> => {
    remove(one);
    one.sandbox.ref();
    one.sandbox.kill();
    return one.sandbox.ended;
  };
  const keep = (key: string, sandbox: ToolSandbox): void => {
    let isOver = false;
    const timer = setTimeout(() => void end(one), longestIdleMs);
    timer.unref();
    sandbox.unref();
    const one: Waiting = { key, sandbox, timer, isOver: () => isOver };
    void sandbox.ended.then(() => {
      isOver = true;
      remove(one);
    });
    waiting = [...waiting, one];
    const [oldest] = waiting;
    if (waiting.length > mostWaiting && oldest !== undefined) void end(oldest);
  };
  const prepare = (key: string, kind: SandboxKind): void => {
    if (starting.has(key) || waiting.some((one) => one.key === key)) return;
    starting.add(key);
    start(kind)
      .then(
        (sandbox) => keep(key, sandbox),
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
        ready.sandbox.ref();
        prepare(key, kind);
        return ready.sandbox;
      }
      const sandbox = await start(kind);
      prepare(key, kind);
      return sandbox;
    },
    get waiting() {
      return waiting.length;
    },
    async close() {
      await Promise.all(waiting.map(end));
    },
  };
}
