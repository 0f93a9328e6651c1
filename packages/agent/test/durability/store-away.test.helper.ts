import type { RunStore } from "@bailiwick/core";

/** A call of a store on its way. */
export interface PassingCall {
  /** Such as `append` or `ledger.reserve`. */
  readonly operation: string;
  /** Number of earlier calls of any operation. */
  readonly index: number;
  /** Passes the call on to the store, and returns its answer. */
  readonly pass: () => Promise<unknown>;
}

const parts: ReadonlySet<string> = new Set(["ledger", "sessions"]);
const local: ReadonlySet<string> = new Set(["subscribe", "onReady", "close"]);

/** A store each of whose calls, also those of its ledger and its sessions, goes through `meet`. */
export function metStore<Store extends RunStore>(
  store: Store,
  meet: (call: PassingCall) => Promise<unknown>,
): Store & { readonly operations: readonly string[] } {
  const operations: string[] = [];
  const views = new Map<string, object>();
  const view = (target: object, prefix: string): object =>
    new Proxy(target, {
      get(_, property) {
        if (property === "operations") return operations;
        const value: unknown = Reflect.get(target, property, target);
        if (typeof property === "symbol" || value === undefined) return value;
        if (parts.has(property)) {
          const part = views.get(property) ?? view(value as object, `${property}.`);
          views.set(property, part);
          return part;
        }
        if (typeof value !== "function") return value;
        const call = (value as (...args: readonly unknown[]) => Promise<unknown>).bind(target);
        if (local.has(property)) return call;
        return (...args: readonly unknown[]) => {
          const operation = `${prefix}${property}`;
          operations.push(operation);
          return meet({ operation, index: operations.length - 1, pass: () => call(...args) });
        };
      },
    });
  return view(store, "") as Store & { readonly operations: readonly string[] };
}
