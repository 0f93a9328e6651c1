import type { Head, JournalEvent, Lease, LedgerRow, RunStore } from "@bailiwick/core";
import type { SimulatedProcess } from "../world/simulated-process.ts";
import type { World } from "../world/world.ts";

/** A defect that a self-test adds outside of the code under test. */
export interface Defect {
  /** The store acknowledges an append before it has it, and loses it with the process. */
  readonly store?: boolean | undefined;
  /** The person's answer about an outcome always arrives as "It did not happen". */
  readonly person?: boolean | undefined;
}

/** Time for which an acknowledged append is only in the memory of its process, in milliseconds. */
const keptMs = 20;

/** A store that acknowledges an append at once, and writes it a little later or before the next call. */
export function forgetfulStore(store: RunStore, process: SimulatedProcess, world: World): RunStore {
  let kept: (() => Promise<unknown>)[] = [];
  const flush = (): void => {
    const writes = kept;
    kept = [];
    for (const write of writes) void write().catch(() => undefined);
  };
  const append = async (
    lease: Lease,
    events: readonly JournalEvent[],
    attachments?: readonly LedgerRow[],
  ): Promise<Head> => {
    flush();
    kept.push(() => store.append(lease, events, attachments));
    world.schedule(process, keptMs, "timer", "flush", flush);
    return { seq: events.at(-1)?.seq ?? lease.head.seq, hash: "" };
  };
  return new Proxy(store, {
    get(target, property) {
      if (property === "append") return append;
      const value: unknown = Reflect.get(target, property);
      if (typeof value !== "function" || property === "subscribe" || property === "onReady") return value;
      return (...given: readonly unknown[]): unknown => {
        flush();
        return Reflect.apply(value, target, given);
      };
    },
  });
}
