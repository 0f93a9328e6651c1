import { StoreError, type RunStore, checkArgument } from "@bailiwick/core";

/** A call of a store, as a plan of faults sees it. */
export interface StoreCall {
  /** Such as `append`, `ledger.reserve`, `sessions.load`. */
  readonly operation: string;
  /** Number of earlier calls of any operation. */
  readonly index: number;
  /** Arguments of the call. */
  readonly args: readonly unknown[];
}

/** Faults of one call of a store. */
export interface StoreFaults {
  /** Delay before the call reaches the store, in milliseconds. */
  readonly delayMs?: number | undefined;
  /** The call fails with this error, or as if the disk were full. */
  readonly error?: Error | "full-disk" | undefined;
  /** The process dies: this call and all later ones are never answered, and no later one reaches the store. */
  readonly crash?: boolean | undefined;
  /** With `error` or `crash`: the store executed the call, and only the answer is lost. Default `false`. */
  readonly written?: boolean | undefined;
}

/**
 * Decides the fault of each call; `undefined`: none.
 *
 * @param call - The operation, the number of calls before it, and its arguments.
 */
export type StoreFaultPlan = (call: StoreCall) => StoreFaults | undefined;

/** A store with faults, as a test sees it. */
export interface FaultyStoreView {
  /** Every call so far, in order. */
  readonly calls: readonly StoreCall[];
  /** Settles when the process has died, with its last call. */
  readonly crashed: Promise<StoreCall>;
}

/** Ports of a store that are stores themselves. */
const parts = new Set(["ledger", "sessions", "outbox"]);
/** Functions that are called for their effect in this process only. */
const local = new Set(["subscribe", "onReady", "close"]);

/**
 * A store that fails as a test specifies: it is slow, its disk is full, its answers are lost, or the process that uses
 * it dies. The store below stays intact: an agent on it is another process, which can continue when the lease of the
 * dead one has expired.
 *
 * @param store - The store below, with its ledger and sessions.
 * @param plan - The faults.
 * @example
 * ```ts
 * import { memoryStore } from "@bailiwick/core";
 * import { faultyStore } from "@bailiwick/testing";
 *
 * // The process dies when it has written its third batch of records, before it hears of it.
 * let appends = 0;
 * export const store = faultyStore(memoryStore(), ({ operation }) =>
 *   operation === "append" && (appends += 1) === 3 ? { crash: true, written: true } : undefined,
 * );
 * ```
 */
export function faultyStore<Store extends RunStore>(store: Store, plan: StoreFaultPlan): Store & FaultyStoreView {
  checkArgument(store, "load", "faultyStore(store, plan)");
  const calls: StoreCall[] = [];
  let gone = false;
  let tell: (call: StoreCall) => void = () => undefined;
  const crashed = new Promise<StoreCall>((resolve) => (tell = resolve));

  // A store may write an append and the following release in one transaction if both are called in the same turn of the
  // event loop, so a call without a delay is passed on without an await.
  const faulty = (operation: string, ask: () => Promise<unknown>, args: readonly unknown[]): Promise<unknown> => {
    if (gone) return never();
    const call: StoreCall = { operation, index: calls.length, args };
    calls.push(call);
    const faults = plan(call) ?? {};
    const reach = (): Promise<unknown> => {
      if (faults.crash === true) gone = true;
      const failing = faults.crash === true || faults.error !== undefined;
      const asked = failing && faults.written !== true ? Promise.resolve() : ask();
      if (!failing) return asked;
      return asked.then(() => {
        if (faults.crash !== true) throw errorOf(faults.error, store.name);
        tell(call);
        return never();
      });
    };
    const { delayMs } = faults;
    return delayMs === undefined ? reach() : after(delayMs).then(() => (gone ? never() : reach()));
  };

  // The runner compares sessions with the store's by identity, so each part is always the same object.
  const views = new Map<string, object>();
  const partOf = (target: object, prefix: string): object => {
    const known = views.get(prefix) ?? view(target, prefix);
    views.set(prefix, known);
    return known;
  };
  const view = (target: object, prefix: string): object =>
    new Proxy(target, {
      get(_, property) {
        if (prefix === "" && property === "calls") return calls;
        if (prefix === "" && property === "crashed") return crashed;
        const value: unknown = Reflect.get(target, property, target);
        if (typeof property === "symbol") return value;
        if (parts.has(property) && typeof value === "object" && value !== null) return partOf(value, `${property}.`);
        if (typeof value !== "function") return value;
        const method = value as (...args: readonly unknown[]) => unknown;
        if (local.has(property)) return method.bind(target);
        return (...args: unknown[]) =>
          faulty(`${prefix}${property}`, () => method.apply(target, args) as Promise<unknown>, args);
      },
    });
  return view(store, "") as Store & FaultyStoreView;
}

function errorOf(error: Error | "full-disk" | undefined, name: string): Error {
  if (error instanceof Error) return error;
  return new StoreError("STORE_FULL", `The store "${name}" has no free space: free some, and resume the run.`);
}

function never(): Promise<never> {
  return new Promise<never>(() => undefined);
}

function after(delayMs: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, delayMs));
}
