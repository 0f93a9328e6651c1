import { AsyncLocalStorage } from "node:async_hooks";
import { vi } from "vitest";

/** A host such as Cloudflare Workers, simulated in this process. */
export interface RequestHost {
  /** Runs code as a module is evaluated: timers and random values throw. */
  load<Result>(work: () => Result): Result;
  /** Runs code as one request. When it ends, its pending timers are dropped. */
  request<Result>(work: () => Promise<Result>): Promise<Result>;
}

interface Request {
  readonly ends: Set<() => void>;
}

/**
 * Gives each timer to the request that set it. Call it before the code under test is imported, and
 * `vi.unstubAllGlobals()` at the end.
 */
export function requestHost(): RequestHost {
  const requests = new AsyncLocalStorage<Request>();
  let loading = false;
  const check = (what: string): void => {
    if (loading) throw new Error(`Disallowed operation called within global scope: ${what}.`);
  };
  const { crypto, Math: math } = globalThis;

  const owned =
    <Handle>(
      what: string,
      set: (callback: () => void, ms?: number) => Handle,
      clear: (handle: Handle) => void,
      once: boolean,
    ) =>
    (callback: (...args: readonly unknown[]) => void, ms?: number, ...args: readonly unknown[]): Handle => {
      check(what);
      const request = requests.getStore();
      const end = (): void => clear(handle);
      const handle = set(() => {
        if (once) request?.ends.delete(end);
        callback(...args);
      }, ms);
      request?.ends.add(end);
      return handle;
    };
  const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } = globalThis;
  vi.stubGlobal("setTimeout", owned("setTimeout", setTimeout, clearTimeout, true));
  vi.stubGlobal("setInterval", owned("setInterval", setInterval, clearInterval, false));
  vi.stubGlobal(
    "setImmediate",
    owned("setImmediate", (callback) => setImmediate(callback), clearImmediate, true),
  );
  vi.stubGlobal("Math", Object.create(math, { random: { value: () => (check("Math.random"), math.random()) } }));
  vi.stubGlobal("crypto", {
    subtle: crypto.subtle,
    randomUUID: () => (check("randomUUID"), crypto.randomUUID()),
    getRandomValues: <Bytes extends Uint8Array>(bytes: Bytes) => (
      check("getRandomValues"),
      crypto.getRandomValues(bytes)
    ),
  });

  return {
    load(work) {
      loading = true;
      try {
        return work();
      } finally {
        loading = false;
      }
    },
    async request(work) {
      const request: Request = { ends: new Set() };
      try {
        return await requests.run(request, work);
      } finally {
        for (const end of request.ends) end();
      }
    },
  };
}
