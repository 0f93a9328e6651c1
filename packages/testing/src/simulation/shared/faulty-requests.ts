import { AsyncLocalStorage } from "node:async_hooks";

/** A fault of one request. `cut` and the statuses are for `fetch` alone. */
export type SharedFault = "refused" | "lost" | "cut" | 404 | 500;

/** Every fault. */
export const sharedFaults: readonly SharedFault[] = ["refused", "lost", "cut", 404, 500];

/** The parts with which a shared resource sends its requests. */
export interface SharedParts {
  /** The platform's `fetch`, whose requests can fail. */
  readonly fetch: typeof globalThis.fetch;
  /**
   * Makes each method of an object a request that can fail, for resources that use no `fetch`.
   *
   * @param name - Name in reports.
   * @param object - The object.
   */
  component<Target extends object>(name: string, object: Target): Target;
}

/** Requests of one play, of which one may fail. */
export interface FaultyRequests extends SharedParts {
  /** Runs code as a run with a number, from 1. */
  as<Result>(run: number, code: () => Promise<Result>): Promise<Result>;
  /** Names of the requests so far: `run2/POST tools/call#1`. */
  readonly requests: readonly string[];
}

/** Makes the requests of one play. */
export function faultyRequests(hit: string | undefined, fault: SharedFault | undefined): FaultyRequests {
  const runs = new AsyncLocalStorage<number>();
  const requests: string[] = [];
  const counts = new Map<string, number>();
  /** The fault of the next request of a name. */
  const faultOf = (what: string): SharedFault | undefined => {
    const base = `run${runs.getStore() ?? 0}/${what}`;
    const count = (counts.get(base) ?? 0) + 1;
    counts.set(base, count);
    requests.push(`${base}#${count}`);
    return `${base}#${count}` === hit ? fault : undefined;
  };
  const broken = (): TypeError =>
    new TypeError("fetch failed", { cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) });
  return {
    requests,
    as: (run, code) => runs.run(run, code),
    async fetch(input, init) {
      const request = new Request(input, init);
      const what = `${request.method} ${await nameOf(request)}`;
      const found = faultOf(what);
      if (found === "refused") throw broken();
      if (typeof found === "number") return new Response("The simulated server has failed.", { status: found });
      const response = await fetch(request);
      if (found === undefined) return response;
      await response.body?.cancel();
      if (found === "lost") throw broken();
      const cut = new ReadableStream({ pull: (controller) => controller.error(broken()) });
      return new Response(cut, { status: response.status, headers: response.headers });
    },
    component: <Target extends object>(name: string, object: Target): Target =>
      new Proxy(object, {
        get(target, property) {
          const value: unknown = Reflect.get(target, property, target);
          if (typeof value !== "function" || typeof property === "symbol") return value;
          return async (...given: readonly unknown[]): Promise<unknown> => {
            const found = faultOf(`${name}.${property}`);
            if (found !== undefined && found !== "lost") throw broken();
            const answer: unknown = await Reflect.apply(value, target, given);
            if (found === "lost") throw broken();
            return answer;
          };
        },
      }),
  };
}

/** The method of a JSON-RPC request, else the path. */
async function nameOf(request: Request): Promise<string> {
  const { pathname } = new URL(request.url);
  if (request.body === null) return pathname;
  const text = await request.clone().text();
  return /"method":"([^"#\s]+)"/u.exec(text)?.[1] ?? pathname;
}
